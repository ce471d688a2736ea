import type { MaybePromise } from '@items/conventions';
import { ConfigurableModuleBuilder } from '@nestjs/common';

import type { Principal } from '../principal/principal.js';

/** Who issues tokens, or trusts those of others. */
export interface TokenAuthenticator {
  /** Whether the token was verified some seconds ago. */
  isCached(token: string): boolean;
  /**
   * @param token as it stands in the header, in the form of RFC 6750 §2.1.
   * @returns null for a token that is not theirs, or not valid.
   * @throws {ServiceUnavailableError} 503: it cannot be told just now.
   */
  authenticate(token: string): MaybePromise<Principal | null>;
}

/** Which credentials are accepted beside API keys and passwords. */
export interface AuthOptions {
  /** Asked one after the other whose a bearer token is. */
  readonly bearerTokens: readonly TokenAuthenticator[];
  /** Called when a request has been judged, for traces. @param beganAtMs on the clock of `performance`. */
  readonly onJudged?: ((beganAtMs: number) => void) | undefined;
}

/** `forRoot` and `forRootAsync`, as Nest makes them. */
export const { ConfigurableModuleClass: ConfigurableAuthModule, MODULE_OPTIONS_TOKEN: AUTH_OPTIONS } =
  new ConfigurableModuleBuilder<AuthOptions>({ moduleName: 'Auth' }).setClassMethodName('forRoot').build();
