import type { Scope } from '@items/dtos/contract';
import type { MaybePromise } from '@items/conventions';
import type { Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../principal/principal.js';
import type { PassportStrategyObject } from './run-strategy.js';

export interface BuiltInStrategy extends PassportStrategyObject {
  cached(request: FastifyRequest): MaybePromise<Principal | undefined>;
}

export interface CredentialVerifier extends Pick<BuiltInStrategy, 'cached'> {
  verify(request: FastifyRequest): Promise<Principal | null>;
}

export interface ChallengeContext {
  readonly baseUrl: string;
  readonly isPresented: boolean;
}

export interface AuthStrategy {
  /** Name in `AUTH_METHODS`, or of an own strategy. */
  readonly name: string;
  /** With capitals, as in the documentation. */
  readonly header: string;
  /** Scheme of `Authorization` in lower case. Undefined for a header of its own. */
  readonly scheme?: string;
  readonly challenge: (context: ChallengeContext) => string;
  readonly documented: (scopes: readonly Scope[]) => Readonly<Record<string, object>>;
  readonly strategy: Type<PassportStrategyObject>;
  readonly isOwn?: boolean;
}
