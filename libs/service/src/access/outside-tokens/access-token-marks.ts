import type { JWTHeaderParameters, JWTPayload } from 'jose';

/**
 * Types of access tokens in lower case; many providers omit the type. RFC 9068 §2.1, RFC 8725 §3.11
 */
const TYPES: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']);
/** Types of access tokens in a claim. */
const KINDS: ReadonlySet<string> = new Set(['bearer', 'jwt', 'at+jwt']);
/** Hashes that ID tokens hold, and the events of logout and security tokens. OpenID Connect Core 1.0 §3.3.2.11, RFC 8417 */
const FOREIGN_CLAIMS = ['at_hash', 'c_hash', 's_hash', 'events'] as const;
/** Access tokens live from minutes to hours: one that says more has been made by mistake, or is another thing. ADR 23 */
export const MAX_LIFETIME_SECONDS = 24 * 60 * 60;

/**
 * Whether a JWT with a good signature is an access token that we may accept: no ID token, no token of another kind, none
 * that needs a proof which is not checked here (`cnf`), and none that is good for longer than a day.
 * @param nowSeconds since the epoch, later by as much as clocks may be apart.
 */
export function isAcceptableAccessToken(header: JWTHeaderParameters, payload: JWTPayload, nowSeconds: number): boolean {
  // Other values of `typ` stay unchanged and match no known type.
  const type = typeof header.typ === 'string' ? header.typ.toLowerCase() : header.typ;
  if (!TYPES.has(type) || 'cnf' in payload || FOREIGN_CLAIMS.some((claim) => claim in payload)) return false;
  if (isIdToken(type, payload)) return false;
  return payload.exp !== undefined && payload.exp - nowSeconds <= MAX_LIFETIME_SECONDS;
}

/** Keycloak names the kind within, and in former versions gave its access tokens a `nonce` as well. */
function isIdToken(type: string | undefined, payload: JWTPayload): boolean {
  const { typ: kind } = payload;
  if (kind !== undefined && (typeof kind !== 'string' || !KINDS.has(kind.toLowerCase()))) return true;
  return 'nonce' in payload && kind === undefined && (type === undefined || type === 'jwt');
}
