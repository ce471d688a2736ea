import { isPromise, type MaybePromise, UnauthorizedError } from '@items/conventions';
import type { Scope } from '@items/dtos/contract';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { StartRefusedError } from '../../../data/definition/start-refused.js';
import type { Config } from '../../../runtime/config/config.js';
import { Audit } from '../../../runtime/logging/audit.js';
import { Accounts } from '../../accounts/accounts.js';
import { LoginFailures } from '../../credentials/logins/login-failures.js';
import { AmbiguousCredentialError } from '../../errors/access-errors.js';
import { Permissions } from '../../principal/permissions.js';
import type { Principal } from '../../principal/principal.js';
import {
  type AuthStrategy,
  type BuiltInStrategy,
  type CredentialVerifier,
  type PassportStrategyObject,
  runStrategy,
} from './auth-strategy.js';
import { BUILT_IN_STRATEGIES } from './built-in-strategies.js';
import { ownAuthStrategies, type OwnStrategy } from './own-strategy.js';
import { type OwnStrategyParts, OwnStrategyVerifier } from './own-strategy-verifier.js';

const AUTHORIZATION = 'authorization';

export interface Presented {
  readonly count: 'none' | 'one' | 'several';
  /** Strategy of the credential. Undefined for an unknown scheme, for no credential and for several. */
  readonly by: AuthStrategy | undefined;
}

const NONE: Presented = { count: 'none', by: undefined };
const SEVERAL: Presented = { count: 'several', by: undefined };
const UNKNOWN: Presented = { count: 'one', by: undefined };

/** The accepted strategies: built-in strategies, and strategies of the app. ADR 109 */
export class AuthStrategies {
  /** Always includes `X-API-Key`, because the admin key is always accepted. */
  readonly rows: readonly AuthStrategy[];
  /** These strategies appear in challenges and in the OpenAPI document. */
  readonly offered: readonly AuthStrategy[];
  private readonly headers: readonly string[];
  private readonly byHeader = new Map<string, Presented>();
  private readonly byScheme = new Map<string, Presented>();
  private readonly baseUrl: string;

  constructor({ authMethods, baseUrl }: Pick<Config, 'authMethods' | 'baseUrl'>, own: readonly OwnStrategy[] = []) {
    this.baseUrl = baseUrl;
    const accepted: readonly string[] = authMethods;
    const builtIn = BUILT_IN_STRATEGIES.filter(({ name }) => name === 'api-key' || accepted.includes(name));
    this.rows = [...builtIn, ...ownAuthStrategies(own)];
    this.offered = this.rows.filter(({ name, isOwn }) => isOwn === true || accepted.includes(name));
    this.headers = [...new Set([AUTHORIZATION, ...this.rows.map(({ header }) => header.toLowerCase())])];
    for (const by of this.rows) {
      const presented: Presented = { count: 'one', by };
      if (by.scheme === undefined) this.byHeader.set(by.header.toLowerCase(), presented);
      else this.byScheme.set(by.scheme, presented);
    }
  }

  get ownHeaders(): readonly string[] {
    return this.rows.filter(({ isOwn }) => isOwn).map(({ header }) => header);
  }

  get offeredHeaders(): readonly string[] {
    return [...new Set(this.offered.map(({ header }) => header))];
  }

  /**
   * Reads the raw headers, because parsed headers hide duplicates. Node drops a second Authorization, and joins a
   * second X-API-Key to the first.
   */
  presentedBy({ raw: { headers, rawHeaders } }: Pick<FastifyRequest, 'raw'>): Presented {
    let found: string | undefined;
    for (const name of this.headers) {
      if (headers[name] === undefined) continue;
      if (found !== undefined) return SEVERAL;
      found = name;
    }
    if (found === undefined) return NONE;
    let count = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? '';
      // Comparing the length first avoids a lower-case copy of nearly every name.
      if (name.length === found.length && name.toLowerCase() === found) count++;
    }
    if (count > 1) return SEVERAL;
    if (found !== AUTHORIZATION) return this.byHeader.get(found) ?? UNKNOWN;
    const [scheme = ''] = (headers.authorization ?? '').split(/[ \t]/, 1);
    return this.byScheme.get(scheme.toLowerCase()) ?? UNKNOWN;
  }

  /**
   * Returns a 401 with a challenge for each offered strategy. The error never reveals why a credential is invalid. SPEC
   * §5 rule 1
   */
  unauthorized(presented: Presented = NONE): UnauthorizedError {
    const { baseUrl } = this;
    const sentence =
      presented.count === 'none'
        ? `This operation needs a credential, such as ${this.exampleOfCredential}.`
        : 'The credential is not valid.';
    const challenges = this.offered.map((row) => row.challenge({ baseUrl, isPresented: row === presented.by }));
    return new UnauthorizedError(sentence, challenges.reverse());
  }

  wrongPassword(): UnauthorizedError {
    return this.unauthorized(UNKNOWN);
  }

  ambiguous(): AmbiguousCredentialError {
    return new AmbiguousCredentialError(this.ownHeaders);
  }

  securitySchemes(scopes: readonly Scope[]): Readonly<Record<string, object>> {
    return Object.assign({}, ...this.offered.map(({ documented }) => documented(scopes))) as Record<string, object>;
  }

  private get exampleOfCredential(): string {
    const names = this.offered.map(({ name }) => name);
    if (names.includes('api-key')) return 'an API key in X-API-Key';
    if (names.includes('bearer')) return 'a bearer token in Authorization';
    return names.includes('basic')
      ? 'a username and a password in Authorization'
      : `one in ${this.ownHeaders[0] ?? ''}`;
  }
}

interface Identity {
  readonly principal: Principal | null;
  /** Error of a verification that was impossible, for example while the database is down. */
  readonly failure: Error | undefined;
}

export const ANONYMOUS: Identity = { principal: null, failure: undefined };

/** Finds the caller of a request by the strategy of its credential. */
@Injectable()
export class CallerFinder implements OnModuleInit {
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
      if (!isPromise(cached)) return { principal: cached, failure: undefined };
      return cached.then((caller) => (caller === undefined ? verified(verifier, request) : valid(caller)), failed);
    } catch (error) {
      return failed(error);
    }
  }

  private async ownStrategy({ name, strategy }: AuthStrategy): Promise<PassportStrategyObject> {
    try {
      return this.modules.get<PassportStrategyObject>(strategy, { strict: false });
    } catch {
      // Not a provider: it is created below.
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
