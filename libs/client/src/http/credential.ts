/** The header that carries a credential. SPEC §5 */
export interface CredentialHeader {
  readonly name: 'authorization' | 'x-api-key';
  readonly value: string;
}

/** Where the credential of each request comes from. What holds secrets is private, so that no inspection shows them. */
export interface Credential {
  /** The header of the next request, which may have to be fetched first. */
  header(signal: AbortSignal | undefined): Promise<CredentialHeader>;
  /** Told that the service refused a header (401). @returns whether there may be another one. */
  refused(header: CredentialHeader): boolean;
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
  throw new TypeError(`${name} must be a text of visible ASCII characters, without blanks or line ends.`);
}

/** The value of `Authorization` for a name and a password, in UTF-8. RFC 7617 */
export function basic(name: string, password: string): string {
  const bytes = new TextEncoder().encode(`${name}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
