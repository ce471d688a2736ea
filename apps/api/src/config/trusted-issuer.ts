import { isScope } from '@items/contracts';
import { areKeysSafeAt, isSafeAddress, type TrustedIssuer } from '@items/outside-tokens';
import { ConfigError, type Variable } from '@items/settings';

const EXAMPLE = `'[{"issuer":"https://login.example.com/realms/shop","audience":"items"}]'`;
const MEMBERS = new Set(['issuer', 'audience', 'jwks_uri', 'scope_claim', 'scope_map']);

/**
 * Reads a JSON list of `{issuer, audience, jwks_uri?, scope_claim?, scope_map?}`.
 * @throws {ConfigError}
 */
export function trustedIssuers({ name, value }: Variable): readonly TrustedIssuer[] {
  if (value === undefined) return [];
  const fail = (problem: string): never => {
    throw new ConfigError(name, problem, EXAMPLE);
  };
  const list = parse(value);
  if (!Array.isArray(list))
    return fail('must be a JSON list of {issuer, audience, jwks_uri?, scope_claim?, scope_map?}');
  const issuers = list.map((entry: unknown) => trustedIssuer(entry) ?? fail('has an entry that cannot be used'));
  if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length) fail('names an issuer twice');
  return issuers;
}

function trustedIssuer(entry: unknown): TrustedIssuer | undefined {
  if (typeof entry !== 'object' || entry === null || Object.keys(entry).some((key) => !MEMBERS.has(key)))
    return undefined;
  const {
    issuer,
    audience,
    jwks_uri: jwksUri,
    scope_claim: scopeClaim = 'scope',
    scope_map: map,
  } = entry as Record<string, unknown>;
  const audiences = [audience].flat();
  if (
    !isText(issuer) ||
    !isSafeAddress(issuer) ||
    audiences.length === 0 ||
    !audiences.every(isText) ||
    !isText(scopeClaim)
  )
    return undefined;
  if (jwksUri !== undefined && !(isText(jwksUri) && areKeysSafeAt(jwksUri, issuer))) return undefined;
  const scopeMap = map === undefined ? undefined : scopeMapOf(map);
  if (map !== undefined && scopeMap === undefined) return undefined;
  return { issuer, audience: audiences, jwksUri, scopeClaim, scopeMap };
}

/** A word may stand for one scope, or for a list. */
function scopeMapOf(map: unknown): TrustedIssuer['scopeMap'] | undefined {
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
