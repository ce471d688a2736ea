import type { JWTPayload } from 'jose';

import type { TrustedIssuer } from '../../runtime/issuers/trusted-issuer.js';

/**
 * What a token says that it allows, in our words. `scope_claim` names a claim, with dots for one within another
 * (`realm_access.roles`); it holds words separated by blanks, or a list. Where there is a `scope_map`, the words that it
 * lacks allow nothing; without one, the words are scopes as they stand.
 */
export function scopesOf({ scopeClaim = 'scope', scopeMap }: TrustedIssuer, payload: JWTPayload): readonly string[] {
  return wordsIn(claimOf(payload, scopeClaim)).flatMap((word) =>
    scopeMap === undefined ? [word] : (scopeMap.get(word) ?? []),
  );
}

/**
 * A claim by its name, or by a path with dots: `realm_access.roles`. A claim may itself have dots in its name
 * (`https://items.example/scopes`).
 * @returns undefined where there is none.
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
