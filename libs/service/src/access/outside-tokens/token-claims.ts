import type { JWTPayload } from 'jose';
import type { TrustedIssuer } from '../../runtime/issuers/trusted-issuer.js';

/**
 * Reads the claim `scope_claim`: a list, or words separated by spaces. With a `scope_map`, only mapped words grant
 * scopes. Without a map, the words are scopes.
 */
export function scopesOf({ scopeClaim = 'scope', scopeMap }: TrustedIssuer, payload: JWTPayload): readonly string[] {
  return wordsIn(claimOf(payload, scopeClaim)).flatMap((word) =>
    scopeMap === undefined ? [word] : (scopeMap.get(word) ?? []),
  );
}

/**
 * @param name A path with dots (`realm_access.roles`), or a name that contains dots (`https://items.example/scopes`).
 */
export function claimOf(payload: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name.split('.').reduce<unknown>((value, part) => {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, part)
      ? (value as Record<string, unknown>)[part]
      : undefined;
  }, payload);
}

function wordsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(' ').filter((word) => word !== '');
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** False for invalid UTF-8. Libraries replace invalid bytes, which could make different subjects equal. */
export function hasValidText(jwt: string): boolean {
  try {
    UTF8.decode(Buffer.from(jwt.split('.')[1] ?? '', 'base64url'));
    return true;
  } catch {
    return false;
  }
}
