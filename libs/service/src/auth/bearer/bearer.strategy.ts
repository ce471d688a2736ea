import { isPromise, type MaybePromise } from '@items/conventions';
import { Inject, Injectable } from '@nestjs/common';
import { Strategy } from 'passport-custom';

import { AUTH_OPTIONS, type AuthOptions, type TokenAuthenticator } from '../auth-options.js';
import type { Principal } from '../../principal/principal.js';

/** RFC 6750 §2.1: what a token may be made of. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** `Authorization: Bearer <token>`, and nowhere else: asks each issuer in turn whose token it is. RFC 6750 §2.1 */
@Injectable()
export class BearerStrategy extends Strategy {
  constructor(@Inject(AUTH_OPTIONS) private readonly options: AuthOptions) {
    super(({ headers }, verified) => {
      verified(null, this.callerOf(headers.authorization ?? ''));
    });
  }

  /**
   * @returns null for a token that is not valid; at once where no look-up is needed.
   * @throws {ServiceUnavailableError} 503: it cannot be told just now.
   */
  callerOf(authorization: string): MaybePromise<Principal | null> {
    const [, token] = BEARER.exec(authorization) ?? [];
    return token === undefined ? null : firstCallerOf(token, this.options.bearerTokens);
  }
}

function firstCallerOf(
  token: string,
  [issuer, ...others]: readonly TokenAuthenticator[],
): MaybePromise<Principal | null> {
  if (issuer === undefined) return null;
  const caller = issuer.authenticate(token);
  if (isPromise(caller)) return caller.then((known) => known ?? firstCallerOf(token, others));
  return caller ?? firstCallerOf(token, others);
}
