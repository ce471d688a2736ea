import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
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

  validate(key: string): Principal | null | Promise<Principal | null> {
    return this.keys.authenticate(key);
  }

  /** A registry of its own: in Passport's singleton, a second application in this process would replace the first. */
  getPassportInstance(): InstanceType<typeof Passport> {
    return new Passport();
  }
}
