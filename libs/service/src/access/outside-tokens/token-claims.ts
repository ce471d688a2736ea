import type { JWTPayload } from 'jose';
import type { TrustedIssuer } from '../../runtime/issuers/trusted-issuer.js';

/**
 * Reads the claim `scope_claim`: a list, or words separated by spaces. With a `scope_map`, unmapped words grant
 * nothing; without one, the words are scopes.
 */
export function scopesOf({ scopeClaim = 'scope', scopeMap }: TrustedIssuer, payload: JWTPayload): readonly string[] {
  return wordsIn(claimOf(payload, scopeClaim)).flatMap((word) =>
    scopeMap === undefined ? [word] : (scopeMap.get(word) ?? []),
  );
}

/** The name may be a path with dots (`realm_access.roles`), or contain dots itself (`https://items.example/scopes`). */
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

/** False for invalid UTF-8: libraries replace invalid bytes, so that different subjects would become equal. */
export function hasValidText(jwt: string): boolean {
  try {
    UTF8.decode(Buffer.from(jwt.split('.')[1] ?? '', 'base64url'));
    return true;
  } catch {
    return false;
  }
}
