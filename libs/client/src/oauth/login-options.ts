/** What a login keeps its tokens in: `sessionStorage`, `localStorage` or what an app writes itself. */
export type LoginStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface LoginOptions {
  /** Where the service is, exactly as it names itself (`issuer`). HTTPS, except on this machine. */
  readonly baseUrl: string;
  /** A client without a secret, or `first-party` for a page of the operator. */
  readonly clientId: string;
  /** One of the client's, exactly. */
  readonly redirectUri: string;
  /** Empty: all that the client and the user have. */
  readonly scopes: readonly string[];
  /** Default: `sessionStorage`, so each tab has a login of its own. */
  readonly storage?: LoginStorage | undefined;
}

/** The `auth` of `createClient`. */
export interface LoginAuth {
  readonly token: () => Promise<string>;
  /** Returns a token other than the refused one. Clients that share the login refresh once. */
  readonly renew: (refused: string) => Promise<string>;
}

/** A login by the authorization code flow. RFC 6749 §4.1, RFC 7636 */
export interface Login {
  /** Begins a login: go to the URL that this gives. */
  start(): Promise<string>;
  /**
   * Ends a login on the page of the redirect URI. The same URL again in the same page gives the same result.
   * @param currentUrl with its query, such as `location.href`.
   * @throws {LoginError} the response is no answer to a login of this browser, or says no.
   */
  finish(currentUrl: string | URL): Promise<LoginAuth>;
  /** The login that is in the storage, if there is one. Sends nothing. */
  resume(): Promise<LoginAuth | undefined>;
  /** Forgets the tokens, then revokes them. @throws where the service could not be reached: they are forgotten all the same. */
  logout(): Promise<void>;
}
