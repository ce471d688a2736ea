import type { MaybePromise } from '@items/conventions';
import { ConfigurableModuleBuilder } from '@nestjs/common';

import type { Principal } from '../principal/principal.js';

/** Verifies tokens of this service or of a trusted issuer. */
export interface TokenAuthenticator {
  /** Whether the token was verified some seconds ago. */
  isCached(token: string): boolean;
  /**
   * @param token from the header, in the form of RFC 6750 §2.1.
   * @returns null for an invalid token, or one of another issuer.
   * @throws {ServiceUnavailableError} 503: verification is temporarily impossible.
   */
  authenticate(token: string): MaybePromise<Principal | null>;
}

/** Accepted credentials besides API keys and passwords. */
export interface AuthOptions {
  /** Asked one after the other whose a bearer token is. */
  readonly bearerTokens: readonly TokenAuthenticator[];
  /** Called when a request has been judged, for traces. @param beganAtMs on the clock of `performance`. */
  readonly onJudged?: ((beganAtMs: number) => void) | undefined;
}

/** `forRoot` and `forRootAsync`, as Nest makes them. */
export const { ConfigurableModuleClass: ConfigurableAuthModule, MODULE_OPTIONS_TOKEN: AUTH_OPTIONS } =
  new ConfigurableModuleBuilder<AuthOptions>({ moduleName: 'Auth' }).setClassMethodName('forRoot').build();
