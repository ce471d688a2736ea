import type { MaybePromise } from '@items/conventions';
import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { Principal } from '../principal/principal.js';

export interface TokenAuthenticator {
  isCached(token: string): boolean;
  /**
   * @param token In the form of RFC 6750 §2.1.
   * @returns Null for an invalid token, and for a token of another authenticator.
   * @throws {ServiceUnavailableError} 503: verification is temporarily impossible.
   */
  authenticate(token: string): MaybePromise<Principal | null>;
}

export interface AuthOptions {
  /** Authenticators in the order in which the service tries them. */
  readonly bearerTokens: readonly TokenAuthenticator[];
  readonly onChecked?: ((beganAtMs: number) => void) | undefined;
}

export const { ConfigurableModuleClass: ConfigurableAuthModule, MODULE_OPTIONS_TOKEN: AUTH_OPTIONS } =
  new ConfigurableModuleBuilder<AuthOptions>({ moduleName: 'Auth' }).setClassMethodName('forRoot').build();
