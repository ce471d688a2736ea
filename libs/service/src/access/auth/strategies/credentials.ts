import { isPromise, type MaybePromise } from '@items/conventions';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { StartRefusedError } from '../../../data/definition/start-refused.js';
import { Audit } from '../../../runtime/logging/audit.js';
import { Accounts } from '../../accounts/accounts.js';
import { LoginFailures } from '../../credentials/logins/login-failures.js';
import { Permissions } from '../../principal/permissions.js';
import type { Principal } from '../../principal/principal.js';
import { AuthStrategies, type Presented } from './auth-strategies.js';
import type { AuthStrategy, BuiltInStrategy, CredentialVerifier } from './auth-strategy.js';
import { type OwnStrategyParts, OwnStrategyVerifier } from './own-strategy-verifier.js';
import { type PassportStrategyObject, runStrategy } from './run-strategy.js';

interface Identity {
  readonly principal: Principal | null;
  /** The credential could not be verified, for example without the database. */
  readonly failure: Error | undefined;
}

export const ANONYMOUS: Identity = { principal: null, failure: undefined };

/** Finds the caller of a request by the strategy of its credential. */
@Injectable()
export class Credentials implements OnModuleInit {
  private readonly byRow = new Map<AuthStrategy, CredentialVerifier>();
  private readonly parts: OwnStrategyParts;

  constructor(
    private readonly strategies: AuthStrategies,
    private readonly modules: ModuleRef,
    accounts: Accounts,
    failures: LoginFailures,
    audit: Audit,
    permissions: Permissions,
  ) {
    this.parts = { accounts, failures, audit, permissions };
  }

  async onModuleInit(): Promise<void> {
    for (const row of this.strategies.rows) {
      const verifier =
        row.isOwn === true
          ? new OwnStrategyVerifier(row, await this.ownStrategy(row), this.parts)
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
      if (!isPromise(cached)) return valid(cached);
      return cached.then((caller) => (caller === undefined ? verified(verifier, request) : valid(caller)), failed);
    } catch (error) {
      return failed(error);
    }
  }

  private async ownStrategy({ name, strategy }: AuthStrategy): Promise<PassportStrategyObject> {
    try {
      return this.modules.get<PassportStrategyObject>(strategy, { strict: false });
    } catch {
      // The class is not a provider.
    }
    try {
      return await this.modules.create<PassportStrategyObject>(strategy);
    } catch {
      const problem = `The class ${strategy.name} of the strategy "${name}" has dependencies`;
      throw new StartRefusedError(`${problem}: make it a provider of one of \`modules\`.`);
    }
  }
}

function builtIn(strategy: BuiltInStrategy): CredentialVerifier {
  return {
    cached: (request) => strategy.cached(request),
    verify: (request) => runStrategy(strategy, request) as Promise<Principal | null>,
  };
}

function verified(verifier: CredentialVerifier, request: FastifyRequest): Promise<Identity> {
  return verifier.verify(request).then((principal) => (principal === null ? ANONYMOUS : valid(principal)), failed);
}

function valid(principal: Principal): Identity {
  return { principal, failure: undefined };
}

function failed(failure: unknown): Identity {
  return { principal: null, failure: failure as Error };
}
