import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Passport } from 'passport';
import { Strategy } from 'passport-custom';

import { BearerTokens } from '../bearer/bearer-tokens.js';
import type { Principal } from '../../principal/principal.js';

const SCHEME = /^bearer +/i;

/** `Authorization: Bearer <token>`, and nowhere else. RFC 6750 §2.1 */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly tokens: BearerTokens) {
    super();
  }

  /** Passport calls back by promises. */
  known({ raw }: FastifyRequest): Principal | null | undefined {
    return this.tokens.known((raw.headers.authorization ?? '').replace(SCHEME, ''), raw.socket);
  }

  validate({ headers }: Pick<FastifyRequest, 'headers'>): Promise<Principal | null> {
    return this.tokens.authenticate((headers.authorization ?? '').replace(SCHEME, ''));
  }

  /** A registry of its own, as every strategy has. */
  getPassportInstance(): InstanceType<typeof Passport> {
    return new Passport();
  }
}
