import type { JWTHeaderParameters, JWTPayload } from 'jose';

/** Accepted values of `typ` in the header. Many providers omit `typ`. RFC 9068 §2.1, RFC 8725 §3.11 */
const HEADER_TYPES: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']);
/** Types of access tokens in the claim `typ`. */
const CLAIM_TYPES: ReadonlySet<string> = new Set(['bearer', 'jwt', 'at+jwt']);
/**
 * Claims of ID tokens (hashes), and of logout and security event tokens (`events`). OpenID Connect Core 1.0 §3.3.2.11,
 * RFC 8417
 */
const FOREIGN_CLAIMS = ['at_hash', 'c_hash', 's_hash', 'events'] as const;
/** Access tokens live from minutes to hours. A token with a longer lifetime is a mistake, or of another kind. ADR 86 */
const MAX_LIFETIME_SECONDS = 24 * 60 * 60;

/**
 * Refuses other kinds of tokens, such as ID tokens. Also refuses tokens bound to a key (`cnf`, not checked here) and
 * tokens that live longer than a day.
 * @param nowSeconds Unix time plus the tolerated clock difference.
 */
export function isAcceptableAccessToken(header: JWTHeaderParameters, payload: JWTPayload, nowSeconds: number): boolean {
  // A `typ` such as 1 or null is refused, because `HEADER_TYPES` does not contain it.
  const type = typeof header.typ === 'string' ? header.typ.toLowerCase() : header.typ;
  if (!HEADER_TYPES.has(type) || 'cnf' in payload || FOREIGN_CLAIMS.some((claim) => claim in payload)) return false;
  if (isIdToken(type, payload)) return false;
  return payload.exp !== undefined && payload.exp - nowSeconds <= MAX_LIFETIME_SECONDS;
}

/**
 * Recognizes an ID token by its claim `typ` (Keycloak). Without this claim, a `nonce` marks an ID token, unless the
 * `typ` in the header is of an access token. The claim decides alone, because former versions of Keycloak add a `nonce`
 * to access tokens.
 */
function isIdToken(type: string | undefined, payload: JWTPayload): boolean {
  const { typ: kind } = payload;
  if (kind !== undefined && (typeof kind !== 'string' || !CLAIM_TYPES.has(kind.toLowerCase()))) return true;
  return 'nonce' in payload && kind === undefined && (type === undefined || type === 'jwt');
}
