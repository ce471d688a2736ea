/** Response of the token endpoint. RFC 6749 §5.1 */
export interface Tokens {
  readonly access_token: string;
  /** Usable only once. */
  readonly refresh_token?: string | undefined;
  /** Lifetime in seconds, counted from the response; meaningless for stored tokens. */
  readonly expires_in?: number | undefined;
}

/** A login with the username and password of a user. SPEC §5.4 */
export interface PasswordSession {
  readonly username: string;
  readonly password: string;
  /** Separated by spaces. Default: all scopes of the user. */
  readonly scope?: string | undefined;
  readonly onTokens?: ((tokens: Tokens) => unknown) | undefined;
}

/** An existing login. If it cannot be renewed, calls fail with an `AuthenticationError`. */
export interface TokenSession {
  readonly tokens: Tokens;
  /** The public OAuth client of the tokens. Default: `first-party`, as for tokens of `sessions.create`. */
  readonly clientId?: string | undefined;
  /** Called and awaited with every new token pair. Store the pair: the previous refresh token is no longer valid. */
  readonly onTokens?: ((tokens: Tokens) => unknown) | undefined;
}

/** OAuth client credentials. RFC 6749 §4.4 */
export interface ClientLogin {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces. Default: all scopes of the client. */
  readonly scope?: string | undefined;
}

/** The credential of all requests. SPEC §5 */
export type Auth =
  | { readonly apiKey: string }
  /** A bearer token, or a function that is called before the first request, and again after a 401. */
  | {
      readonly token: string | (() => string | Promise<string>);
      /**
       * Called instead of `token`, with the refused token ('' at first). A function that several clients share can
       * return the token that another client has renewed.
       */
      readonly renew?: ((refused: string) => Promise<string>) | undefined;
    }
  /** HTTP Basic: each request contains the password. A `session` sends it only once. */
  | { readonly username: string; readonly password: string }
  | { readonly session: PasswordSession | TokenSession }
  | ClientLogin;
