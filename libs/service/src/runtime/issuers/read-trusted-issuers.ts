import { areKeysSafeAt, isSafeAddress, type TrustedIssuer } from './trusted-issuer.js';

const MEMBERS = new Set(['issuer', 'audience', 'jwks_uri', 'scope_claim', 'scope_map', 'subject_claim']);

/** The message is a predicate without a subject: `names an issuer twice`. */
export class TrustedIssuersError extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'TrustedIssuersError';
  }
}

/**
 * Parses a JSON list of `{issuer, audience, jwks_uri?, scope_claim?, scope_map?, subject_claim?}`.
 * @throws {TrustedIssuersError}
 */
export function readTrustedIssuers(text: string, isScope: (value: unknown) => boolean): readonly TrustedIssuer[] {
  const fail = (problem: string): never => {
    throw new TrustedIssuersError(problem);
  };
  const list = parse(text);
  if (!Array.isArray(list))
    return fail('must be a JSON list of {issuer, audience, jwks_uri?, scope_claim?, scope_map?, subject_claim?}');
  const issuers = list.map(
    (entry: unknown) => trustedIssuer(entry, isScope) ?? fail('has an entry that cannot be used'),
  );
  if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length) fail('names an issuer twice');
  return issuers;
}

function trustedIssuer(entry: unknown, isScope: (value: unknown) => boolean): TrustedIssuer | undefined {
  if (typeof entry !== 'object' || entry === null || Object.keys(entry).some((key) => !MEMBERS.has(key)))
    return undefined;
  const {
    issuer,
    audience,
    jwks_uri: jwksUri,
    scope_claim: scopeClaim = 'scope',
    scope_map: map,
    subject_claim: subjectClaim = 'sub',
  } = entry as Record<string, unknown>;
  const audiences = [audience].flat();
  if (
    !isText(issuer) ||
    !isSafeAddress(issuer) ||
    audiences.length === 0 ||
    !audiences.every(isText) ||
    !isText(scopeClaim) ||
    !isText(subjectClaim)
  )
    return undefined;
  if (jwksUri !== undefined && !(isText(jwksUri) && areKeysSafeAt(jwksUri, issuer))) return undefined;
  const scopeMap = map === undefined ? undefined : scopeMapOf(map, isScope);
  if (map !== undefined && scopeMap === undefined) return undefined;
  return { issuer, audience: audiences, jwksUri, scopeClaim, scopeMap, subjectClaim };
}

/** Each word maps to one scope or to a list. */
function scopeMapOf(map: unknown, isScope: (value: unknown) => boolean): TrustedIssuer['scopeMap'] | undefined {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return undefined;
  const entries = Object.entries(map).map(([word, scopes]: [string, unknown]) => [word, [scopes].flat()] as const);
  if (!entries.every(([, scopes]) => scopes.every(isScope))) return undefined;
  return new Map(entries as [string, string[]][]);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
