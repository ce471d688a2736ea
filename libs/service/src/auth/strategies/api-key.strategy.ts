import type { MaybePromise } from '@items/conventions';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Passport } from 'passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';

import { ApiKeyAuthenticator } from '../api-key/api-key-authenticator.js';
import type { Principal } from '../../principal/principal.js';

/** `X-API-Key: <key>`. SPEC §5 */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
  constructor(private readonly keys: ApiKeyAuthenticator) {
    super({ header: 'X-API-Key', prefix: '' }, false);
  }

  /** Passport calls back by promises, which would be half of what a known key costs. */
  known({ raw }: FastifyRequest): Principal | null | undefined {
    const key = raw.headers['x-api-key'];
    if (typeof key !== 'string' || key === '') return undefined;
    return this.keys.known(key, raw.socket);
  }

  validate(key: string): MaybePromise<Principal | null> {
    return this.keys.authenticate(key);
  }

  /** A registry of its own: in Passport's singleton, a second application in this process would replace the first. */
  getPassportInstance(): InstanceType<typeof Passport> {
    return new Passport();
  }
}
