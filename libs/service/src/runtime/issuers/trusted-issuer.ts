/** An identity provider whose access tokens are trusted. */
export interface TrustedIssuer {
  /** As it stands in `iss`. */
  readonly issuer: string;
  /** One of these has to stand in `aud`. */
  readonly audience: readonly string[];
  /** Undefined where the issuer's own metadata says it. */
  readonly jwksUri?: string | undefined;
  /** Which claim names the person; `sub` where it is left out. */
  readonly subjectClaim?: string;
  /** With dots for a claim within another: `realm_access.roles`. `scope` where it is left out. */
  readonly scopeClaim?: string;
  /** Word of the issuer → scopes of the service; undefined: its words are ours. */
  readonly scopeMap?: ReadonlyMap<string, readonly string[]> | undefined;
}

/**
 * Checks if what an issuer's token created may still be used.
 * @param issuer null if no token of an issuer created it.
 */
export function isIssuerTrusted(issuer: string | null, trusted: readonly TrustedIssuer[]): boolean {
  return issuer === null || trusted.some((each) => each.issuer === issuer);
}

/**
 * Whether an issuer's keys may be fetched there: over HTTPS, or on this machine where its own address is so as well.
 * @param jwksUri configured, or found out from the issuer.
 */
export function areKeysSafeAt(jwksUri: string, issuer: string): boolean {
  return isSafeAddress(jwksUri) && (jwksUri.startsWith('https:') || issuer.startsWith('http:'));
}

/** Keys that came over plain HTTP would be worth nothing, but from this machine. */
export function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}
