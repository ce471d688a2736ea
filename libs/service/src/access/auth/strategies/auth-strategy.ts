import type { Scope } from '@items/dtos/contract';
import type { MaybePromise } from '@items/conventions';
import type { Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../principal/principal.js';

export interface PassportStrategyObject {
  /** Calls `this.success()`, `this.fail()` or `this.error()`. */
  authenticate(request: unknown): void;
}

export interface BuiltInStrategy extends PassportStrategyObject {
  cached(request: FastifyRequest): MaybePromise<Principal | undefined>;
}

export interface CredentialVerifier extends Pick<BuiltInStrategy, 'cached'> {
  verify(request: FastifyRequest): Promise<Principal | null>;
}

export interface AuthStrategy {
  /** Name in `AUTH_METHODS`, or of a strategy of the app. */
  readonly name: string;
  /** Header name with capitals, as in the documentation. */
  readonly header: string;
  /** Scheme of `Authorization` in lower case. Undefined if the strategy uses another header. */
  readonly scheme?: string;
  readonly challenge: (context: { readonly baseUrl: string; readonly isPresented: boolean }) => string;
  readonly documented: (scopes: readonly Scope[]) => Readonly<Record<string, object>>;
  readonly strategy: Type<PassportStrategyObject>;
  readonly isOwn?: boolean;
}

/**
 * Runs a strategy without Passport's middleware. The middleware needs one singleton per process and an Express
 * response.
 * @returns Null if the strategy refuses the credential.
 */
export function runStrategy(strategy: PassportStrategyObject, request: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => resolve(null);
    const outcome = { success: resolve, fail: refuse, pass: refuse, redirect: refuse, error: reject };
    const running = Object.assign(Object.create(strategy) as PassportStrategyObject, outcome);
    running.authenticate(request);
  });
}
