/** What a login gave, in the words of the service. RFC 6749 §5.1 */
export interface Tokens {
  readonly access_token: string;
  /** Good for one use. */
  readonly refresh_token?: string | undefined;
  /** Seconds after the answer; not known to be still right where tokens were kept. */
  readonly expires_in?: number | undefined;
}

/** A login as a user. SPEC §5.4 */
export interface PasswordSession {
  readonly username: string;
  readonly password: string;
  /** Scopes separated by blanks; left out: all that the user has. */
  readonly scope?: string | undefined;
  /** Told of every new pair of tokens. */
  readonly onTokens?: ((tokens: Tokens) => unknown) | undefined;
}

/** A login that was made before. When it cannot be renewed, calls fail with an `AuthenticationError`. */
export interface TokenSession {
  readonly tokens: Tokens;
  /** The OAuth client that the tokens were issued to, one without a secret. Left out: the login was made by `sessions.create`. */
  readonly clientId?: string | undefined;
  /** Told of every new pair, to be kept: the former refresh token is used up. Waited for. */
  readonly onTokens?: ((tokens: Tokens) => unknown) | undefined;
}

/** The one credential that requests carry. SPEC §5 */
export type Auth =
  | { readonly apiKey: string }
  /** A bearer token, or where to get one: asked before the first request, and once more where the service refuses it. */
  | {
      readonly token: string | (() => string | Promise<string>);
      /** Called instead of `token`, with the token that the service refused (first: ''). Clients that share it renew once. */
      readonly renew?: ((refused: string) => Promise<string>) | undefined;
    }
  /** Basic; a `session` sends the password only once. */
  | { readonly username: string; readonly password: string }
  | { readonly session: PasswordSession | TokenSession }
  /** OAuth client credentials. RFC 6749 §4.4 */
  | { readonly clientId: string; readonly clientSecret: string; readonly scope?: string | undefined };
