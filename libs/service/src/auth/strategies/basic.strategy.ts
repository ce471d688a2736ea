import { PerConnectionMemo } from '../../caching/per-connection-memo.js';
import type { MaybePromise } from '@items/conventions';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { parse } from 'basic-auth';
import type { FastifyRequest } from 'fastify';
import { Passport } from 'passport';
import { Strategy } from 'passport-custom';

import { BasicAuthenticator } from '../basic/basic-authenticator.js';
import type { Principal } from '../../principal/principal.js';

/** `Authorization: Basic <base64(username:password)>`, in UTF-8; the password may hold colons and spaces. RFC 7617 */
@Injectable()
export class BasicStrategy extends PassportStrategy(Strategy, 'basic') {
  private readonly said = new PerConnectionMemo(parse);

  constructor(private readonly basic: BasicAuthenticator) {
    super();
  }

  /** Passport calls back by promises. */
  known(request: FastifyRequest): MaybePromise<Principal> | undefined {
    const { headers, socket } = request.raw;
    const credentials = this.said.of(socket, headers.authorization ?? '');
    return credentials && this.basic.known(credentials, { address: request.ip, requestId: request.id });
  }

  async validate(request: FastifyRequest): Promise<Principal | null> {
    const credentials = parse(request.headers.authorization ?? '');
    if (credentials === undefined) return null;
    const { name, pass } = credentials;
    return this.basic.authenticate(name, pass, { address: request.ip, requestId: request.id });
  }

  /** A registry of its own, as every strategy has. */
  getPassportInstance(): InstanceType<typeof Passport> {
    return new Passport();
  }
}
