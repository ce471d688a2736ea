export interface CredentialHeader {
  readonly name: 'authorization' | 'x-api-key';
  readonly value: string;
}

/**
 * Returns the header for the next request of a call. May fetch a token first.
 * @param refused The header that the service refused before.
 */
export type HeaderSource = (
  signal: AbortSignal | undefined,
  refused: CredentialHeader | undefined,
) => Promise<CredentialHeader>;

/** Secrets are in private variables, so that inspecting the object does not show them. */
export interface Credential {
  readonly isRenewable: boolean;
  /** Starts a call. If a renewal fails from now on, this call fails with the same error, without another renewal. */
  begin(): HeaderSource;
  /** Identifies the user in the cache, so that one user never gets a cached response of another. */
  owner(header: CredentialHeader): string;
  /** No message may contain them. */
  secrets(): readonly string[];
}

const VISIBLE = /^[\x21-\x7e]+$/;

/**
 * @throws {TypeError} The secret is empty, or contains spaces, line breaks or characters beyond ASCII. The message does
 * not contain it.
 */
export function headerSafe(name: string, secret: unknown): string {
  if (typeof secret === 'string' && VISIBLE.test(secret)) return secret;
  throw new TypeError(`${name} must be visible ASCII without spaces.`);
}

/** In UTF-8. RFC 7617 */
export function basic(name: string, password: string): string {
  const bytes = new TextEncoder().encode(`${name}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
