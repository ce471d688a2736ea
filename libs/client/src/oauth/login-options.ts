/** `sessionStorage`, `localStorage` or a custom storage for tokens. */
export type LoginStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface LoginOptions {
  /** URL of the service; must equal its `issuer`. HTTPS is required, except for localhost. */
  readonly baseUrl: string;
  /** An OAuth client without a secret, or `first-party` for a page of the operator. */
  readonly clientId: string;
  /** Must equal a redirect URI of the client. */
  readonly redirectUri: string;
  /** Empty: all scopes that the client and the user both have. */
  readonly scopes: readonly string[];
  /** Default: `sessionStorage`, so that each tab has its own login. */
  readonly storage?: LoginStorage | undefined;
}

/** The `auth` of `createClient`. */
export interface LoginAuth {
  readonly token: () => Promise<string>;
  /** Returns a token other than the refused one. Clients that share the login refresh once. */
  readonly renew: (refused: string) => Promise<string>;
}

/** Authorization code flow. RFC 6749 §4.1, RFC 7636 */
export interface Login {
  /** Starts a login. Navigate to the URL that it returns. */
  start(): Promise<string>;
  /**
   * Finishes a login on the page of the redirect URI. A second call in the same page with the same URL returns the same
   * result.
   * @param currentUrl With its query, such as `location.href`.
   * @throws {LoginError} The login was refused, or was not started in this browser.
   */
  finish(currentUrl: string | URL): Promise<LoginAuth>;
  /** Returns the login in the storage, if any. Sends no request. */
  resume(): Promise<LoginAuth | undefined>;
  /**
   * Deletes the tokens from the storage, then revokes them.
   * @throws The service could not be reached; the storage is cleared anyway.
   */
  logout(): Promise<void>;
}

export class LoginError extends Error {
  override readonly name = 'LoginError';
  /**
   * `wrong_state`: the login was not started in this browser, or was already finished. `wrong_issuer`: the response
   * comes from another server. `no_answer`: no valid response arrived. Otherwise the error code of the response,
   * such as `access_denied`. RFC 6749 §4.1.2.1, §5.2
   */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
