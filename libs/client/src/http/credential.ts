/** The header that carries a credential. SPEC §5 */
export interface CredentialHeader {
  readonly name: 'authorization' | 'x-api-key';
  readonly value: string;
}

/**
 * The header of a call's next request, which may have to be fetched first.
 * @param refused the one that the service refused before.
 */
export type HeaderSource = (
  signal: AbortSignal | undefined,
  refused: CredentialHeader | undefined,
) => Promise<CredentialHeader>;

/** Where the credential of each request comes from. What holds secrets is private, so that no inspection shows them. */
export interface Credential {
  /** Whether there may be another header where the service refuses one (401). */
  readonly isRenewable: boolean;
  /** A call begins. Where a renewal fails from here on, the call fails with its error, and tries none of its own. */
  begin(): HeaderSource;
  /** Whose answers these are: what one was shown is kept from the other. */
  owner(header: CredentialHeader): string;
  /** What no message may repeat. */
  secrets(): readonly string[];
}

const VISIBLE = /^[\x21-\x7e]+$/;

/**
 * A secret that a header can carry.
 * @throws {TypeError} that does not show it: it is empty, or holds blanks, line ends or letters beyond ASCII.
 */
export function headerSafe(name: string, secret: unknown): string {
  if (typeof secret === 'string' && VISIBLE.test(secret)) return secret;
  throw new TypeError(`${name} must be visible ASCII without spaces.`);
}

/** The value of `Authorization` for a name and a password, in UTF-8. RFC 7617 */
export function basic(name: string, password: string): string {
  const bytes = new TextEncoder().encode(`${name}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
