import { type MaybePromise, thenMaybe } from '@items/conventions';
import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Passport } from 'passport';
import { Strategy } from 'passport-custom';
import { AUTH_OPTIONS, type AuthOptions } from '../auth-options.js';
import type { Principal } from '../../principal/principal.js';

const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** Accepts tokens only in `Authorization`. RFC 6750 §2.1 */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(@Inject(AUTH_OPTIONS) private readonly options: AuthOptions) {
    super();
  }

  /** Returns a caller whose token was verified some seconds ago. Synchronous if all data is cached. */
  cached(request: Bearing): MaybePromise<Principal | undefined> {
    const token = tokenOf(request);
    if (token === undefined) return undefined;
    const issuer = this.options.bearerTokens.find((each) => each.isCached(token));
    return issuer && thenMaybe(issuer.authenticate(token), (caller) => caller ?? undefined);
  }

  async validate(request: Bearing): Promise<Principal | null> {
    const token = tokenOf(request);
    if (token === undefined) return null;
    for (const issuer of this.options.bearerTokens) {
      const caller = await issuer.authenticate(token);
      if (caller !== null) return caller;
    }
    return null;
  }

  getPassportInstance(): InstanceType<typeof Passport> {
    return new Passport();
  }
}

type Bearing = Pick<FastifyRequest, 'headers'>;

function tokenOf({ headers }: Bearing): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1];
}
