export interface CredentialHeader {
  readonly name: 'authorization' | 'x-api-key';
  readonly value: string;
}

/**
 * Returns the header for the next attempt of a call. May fetch a token first.
 * @param refused The header that the service refused in this call.
 */
export type HeaderSource = (
  signal: AbortSignal | undefined,
  refused: CredentialHeader | undefined,
) => Promise<CredentialHeader>;

/** Secrets are in private variables, so that inspecting the object does not show them. */
export interface Credential {
  readonly isRenewable: boolean;
  /** Starts a call. If a renewal fails during the call, the call fails with the same error and tries no other renewal. */
  begin(): HeaderSource;
  /** Identifies the user in the cache, so that one user never gets a cached response of another. */
  owner(header: CredentialHeader): string;
  /** Texts that no error message may contain. */
  secrets(): readonly string[];
}

const VISIBLE = /^[\x21-\x7e]+$/;

/**
 * @throws {TypeError} The secret is not a text, is empty, or contains spaces, line breaks or characters beyond ASCII.
 * The message does not contain it.
 */
export function headerSafe(name: string, secret: unknown): string {
  if (typeof secret === 'string' && VISIBLE.test(secret)) return secret;
  throw new TypeError(`${name} must be visible ASCII without spaces.`);
}

/** Returns the value of the header, encoded as UTF-8. RFC 7617 */
export function basic(name: string, password: string): string {
  const bytes = new TextEncoder().encode(`${name}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
