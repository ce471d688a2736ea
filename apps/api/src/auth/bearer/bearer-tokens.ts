import { Injectable } from '@nestjs/common';

import type { Principal } from '../principal.js';

/** Tells whose a token is; null for one that is not its own, or not valid. */
export type BearerJudge = (token: string) => Principal | null | Promise<Principal | null>;

/** RFC 6750 §2.1: what a token may be made of. */
const FORM = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * Tells whose a bearer token is. Who issues or trusts tokens stands above this folder, and makes itself known here:
 * each is asked in turn.
 */
@Injectable()
export class BearerTokens {
  private readonly judges: BearerJudge[] = [];

  accept(judge: BearerJudge): void {
    this.judges.push(judge);
  }

  /** @throws {ServiceUnavailableError} 503: it cannot be told just now. */
  async authenticate(token: string): Promise<Principal | null> {
    if (!FORM.test(token)) return null;
    for (const judge of this.judges) {
      const principal = await judge(token);
      if (principal !== null) return principal;
    }
    return null;
  }
}
