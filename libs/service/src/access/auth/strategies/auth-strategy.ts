import type { Scope } from '@items/dtos/contract';
import type { MaybePromise } from '@items/conventions';
import type { Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import type { Principal } from '../../principal/principal.js';
import type { PassportStrategyObject } from './run-strategy.js';

/** A built-in strategy, for Passport. */
export interface BuiltInStrategy extends PassportStrategyObject {
  /** Returns the caller if the strategy verified this credential within the lifetime of its cache. */
  cached(request: FastifyRequest): MaybePromise<Principal | undefined>;
}

/** Verifies the credentials of one strategy of the table. */
export interface CredentialVerifier extends Pick<BuiltInStrategy, 'cached'> {
  /** Returns null for an invalid credential. */
  verify(request: FastifyRequest): Promise<Principal | null>;
}

/** Facts about the service and the request that a challenge depends on. */
export interface ChallengeContext {
  readonly baseUrl: string;
  /** Whether the request presented a credential of this strategy. */
  readonly isPresented: boolean;
}

/** A row of the table of strategies: one way to authenticate a request. */
export interface AuthStrategy {
  /** Name in `AUTH_METHODS`, or of an own strategy. */
  readonly name: string;
  /** Header of the credential, in the case of the documentation. */
  readonly header: string;
  /** Scheme of `Authorization`, in lower case; undefined if the header is the strategy's own. */
  readonly scheme?: string;
  /** Returns the `WWW-Authenticate` header. */
  readonly challenge: (context: ChallengeContext) => string;
  /** Returns its security schemes for the OpenAPI document, by name. @param scopes of the service. */
  readonly documented: (scopes: readonly Scope[]) => Readonly<Record<string, object>>;
  readonly strategy: Type<PassportStrategyObject>;
  readonly isOwn?: boolean;
}
