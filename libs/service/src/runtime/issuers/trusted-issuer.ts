/** An identity provider whose access tokens are trusted. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly audience: readonly string[];
  /** Undefined: taken from the issuer's metadata. */
  readonly jwksUri?: string | undefined;
  /** Claim that identifies the person. Default: `sub`. */
  readonly subjectClaim?: string;
  /** Claim with the scopes. Dots lead into nested claims: `realm_access.roles`. Default: `scope`. */
  readonly scopeClaim?: string;
  /** Scope of the issuer → scopes of the service; undefined: both have the same scopes. */
  readonly scopeMap?: ReadonlyMap<string, readonly string[]> | undefined;
}

/**
 * Checks if a grant that an issuer's token created may still be used.
 * @param issuer null if the grant was created without such a token.
 */
export function isIssuerTrusted(issuer: string | null, trusted: readonly TrustedIssuer[]): boolean {
  return issuer === null || trusted.some((each) => each.issuer === issuer);
}

/**
 * Keys may be fetched over HTTPS. Plain HTTP is safe only if keys and issuer are on this machine.
 * @param jwksUri configured, or discovered from the issuer.
 */
export function areKeysSafeAt(jwksUri: string, issuer: string): boolean {
  return isSafeAddress(jwksUri) && (jwksUri.startsWith('https:') || issuer.startsWith('http:'));
}

/** Keys fetched over plain HTTP can be trusted only from this machine. */
export function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}
