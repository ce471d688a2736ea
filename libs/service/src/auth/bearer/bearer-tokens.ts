import { Inject, Injectable } from '@nestjs/common';

import { AUTH_OPTIONS, type AuthOptions } from '../auth-options.js';
import type { Principal } from '../../principal/principal.js';

/** RFC 6750 §2.1: what a token may be made of. */
const FORM = /^[A-Za-z0-9._~+/-]+=*$/;

/** Tells whose a bearer token is: each who issues or trusts tokens is asked in turn. */
@Injectable()
export class BearerTokens {
  constructor(@Inject(AUTH_OPTIONS) private readonly options: AuthOptions) {}

  /** @throws {ServiceUnavailableError} 503: it cannot be told just now. */
  async authenticate(token: string): Promise<Principal | null> {
    if (!FORM.test(token)) return null;
    for (const authenticator of this.options.bearerTokens) {
      const principal = await authenticator.authenticate(token);
      if (principal !== null) return principal;
    }
    return null;
  }

  /** What can be said without a look-up; undefined where it takes one. @param connection that brought the token. */
  known(token: string, connection: object): Principal | null | undefined {
    if (!FORM.test(token)) return null;
    for (const authenticator of this.options.bearerTokens) {
      const principal = authenticator.known?.(token, connection);
      if (principal !== null) return principal;
    }
    return null;
  }
}
