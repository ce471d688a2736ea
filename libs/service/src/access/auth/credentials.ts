import { isPromise, type MaybePromise } from '@items/conventions';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';

import type { Principal } from '../principal/principal.js';
import { AuthStrategies, type Presented } from './strategies/auth-strategies.js';
import type { AuthStrategy, BuiltInStrategy, CredentialVerifier } from './strategies/auth-strategy.js';
import { OwnStrategies } from './strategies/own-strategies.js';
import { runStrategy } from './strategies/run-strategy.js';

export interface Identity {
  readonly principal: Principal | null;
  /** The credential could not be verified, for example without the database. */
  readonly failure: Error | undefined;
}

export const ANONYMOUS: Identity = { principal: null, failure: undefined };

@Injectable()
export class Credentials implements OnModuleInit {
  private readonly byRow = new Map<AuthStrategy, CredentialVerifier>();

  constructor(
    private readonly strategies: AuthStrategies,
    private readonly own: OwnStrategies,
    private readonly modules: ModuleRef,
  ) {}

  async onModuleInit(): Promise<void> {
    for (const row of this.strategies.rows) {
      const verifier =
        row.isOwn === true
          ? await this.own.verifierOf(row)
          : builtIn(this.modules.get<BuiltInStrategy>(row.strategy, { strict: false }));
      this.byRow.set(row, verifier);
    }
  }

  /** Never throws, but returns the error as `failure`. */
  identify(request: FastifyRequest, presented: Presented): MaybePromise<Identity> {
    const verifier = presented.by && this.byRow.get(presented.by);
    if (verifier === undefined) return ANONYMOUS;
    try {
      const cached = verifier.cached(request);
      if (cached === undefined) return verified(verifier, request);
      if (!isPromise(cached)) return { principal: cached, failure: undefined };
      return cached.then((caller) => (caller === undefined ? verified(verifier, request) : valid(caller)), failed);
    } catch (error) {
      return failed(error);
    }
  }
}

function verified(verifier: CredentialVerifier, request: FastifyRequest): Promise<Identity> {
  return verifier.verify(request).then((principal) => (principal === null ? ANONYMOUS : valid(principal)), failed);
}

function builtIn(strategy: BuiltInStrategy): CredentialVerifier {
  return {
    cached: (request) => strategy.cached(request),
    verify: (request) => runStrategy(strategy, request) as Promise<Principal | null>,
  };
}

function valid(principal: Principal): Identity {
  return { principal, failure: undefined };
}

function failed(failure: unknown): Identity {
  return { principal: null, failure: failure as Error };
}
