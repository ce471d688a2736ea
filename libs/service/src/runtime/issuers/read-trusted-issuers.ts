import { ConfigError } from '../settings/config-error.js';
import { isText, objectOf, parseJson } from '../settings/json.js';
import type { Variable } from '../settings/variable.js';
import { areKeysSafeAt, isSafeAddress, type TrustedIssuer } from './trusted-issuer.js';

const EXAMPLE = `'[{"issuer":"https://login.example.com/realms/shop","audience":"items"}]'`;
const MEMBERS = new Set(['issuer', 'audience', 'jwks_uri', 'scope_claim', 'scope_map', 'subject_claim']);

type IsScope = (value: unknown) => boolean;

/**
 * Parses a JSON list of `{issuer, audience, jwks_uri?, scope_claim?, scope_map?, subject_claim?}`.
 * @throws {ConfigError}
 */
export function readTrustedIssuers({ name, value }: Variable, isScope: IsScope): readonly TrustedIssuer[] {
  if (value === undefined) return [];
  const fail = (problem: string): never => {
    throw new ConfigError(name, problem, EXAMPLE);
  };
  const list = parseJson(value);
  if (!Array.isArray(list))
    return fail('must be a JSON list of {issuer, audience, jwks_uri?, scope_claim?, scope_map?, subject_claim?}');
  const issuers = list.map(
    (entry: unknown) => trustedIssuer(entry, isScope) ?? fail('has an entry that cannot be used'),
  );
  if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length) fail('names an issuer twice');
  return issuers;
}

function trustedIssuer(entry: unknown, isScope: IsScope): TrustedIssuer | undefined {
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
  if (!isText(issuer) || !isSafeAddress(issuer) || !isText(scopeClaim) || !isText(subjectClaim)) return undefined;
  if (audiences.length === 0 || !audiences.every(isText)) return undefined;
  if (jwksUri !== undefined && !(isText(jwksUri) && areKeysSafeAt(jwksUri, issuer))) return undefined;
  const scopeMap = map === undefined ? undefined : scopeMapOf(map, isScope);
  if (map !== undefined && scopeMap === undefined) return undefined;
  return { issuer, audience: audiences, jwksUri, scopeClaim, scopeMap, subjectClaim };
}

/**
 * @param map an object: scope of the issuer → one scope or a list of scopes.
 * @returns undefined if it is invalid.
 */
function scopeMapOf(map: unknown, isScope: IsScope): TrustedIssuer['scopeMap'] {
  const words = objectOf(map);
  const entries = words && Object.entries(words).map(([word, scopes]) => [word, [scopes].flat()] as const);
  if (!entries?.every(([, scopes]) => scopes.every(isScope))) return undefined;
  return new Map(entries as [string, string[]][]);
}
