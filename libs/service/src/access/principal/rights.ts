import type { Role, Scope } from '@items/dtos/contract';
import type { RateLimit } from '@items/conventions';
import { ADMIN_KEY_ID, type Principal } from './principal.js';
import { QuotaEscalationError, ScopeEscalationError } from '../errors/access-errors.js';

/**
 * True if a credential may see and change resources of other users, list all orders, ship and deliver. Other code uses
 * `principal.isAdmin`. False for an application, because the consent page says "your orders".
 * @param role Undefined for a client that acts for itself.
 * @see SPEC §5.2
 */
export function countsAsAdmin(role: Role | undefined, delegatedTo?: string): boolean {
  return role === 'admin' && delegatedTo === undefined;
}

/** @param held Current scopes of the user. SPEC §5.2 */
export function effectiveScopes(granted: Iterable<Scope>, held: ReadonlySet<Scope>): ReadonlySet<Scope> {
  return new Set([...granted].filter((scope) => held.has(scope)));
}

/** Scopes that no application gets for a user, even with the approval of the user. SPEC §3 */
const NEVER: ReadonlySet<Scope> = new Set<Scope>(['users:write', 'clients:manage', 'webhooks:manage', 'audit:read']);

export function delegableScopes(held: ReadonlySet<Scope>): ReadonlySet<Scope> {
  return new Set([...held].filter(isDelegable));
}

export function isDelegable(scope: string): boolean {
  return !(NEVER as ReadonlySet<string>).has(scope);
}

/**
 * A login that lacks scopes of its user may not end other logins or approvals.
 * @param held Current scopes of the user.
 * @see SPEC §5.2
 */
export function isNarrowedLogin({ kind, delegatedTo, scopes }: Principal, held: ReadonlySet<Scope>): boolean {
  const isToken = kind === 'bearer' || kind === 'strategy';
  return isToken && delegatedTo === undefined && [...held].some((scope) => !scopes.has(scope));
}

/** Refuses scopes that the creator of a credential lacks. SPEC §5 rule 3 */
export function requireHeld({ scopes: held }: Principal, requested: Iterable<Scope>): void {
  const lacking = [...requested].filter((scope) => !held.has(scope));
  if (lacking.length > 0) throw new ScopeEscalationError(lacking);
}

/**
 * Refuses a quota with more requests or a higher rate than the creator's quota. `ADMIN_API_KEY` may set any quota. SPEC
 * §5 rule 3, §5.3
 * @param requested Null for the default.
 * @param usual Default quota of a credential.
 */
export function requireQuota(
  { credentialId, rateLimit }: Principal,
  requested: RateLimit | null,
  usual: RateLimit,
): void {
  const held = rateLimit ?? usual;
  if (credentialId !== ADMIN_KEY_ID && exceeds(requested ?? usual, held)) throw new QuotaEscalationError(held);
}

function exceeds(requested: RateLimit, held: RateLimit): boolean {
  return requested.requests > held.requests || requested.requests * held.seconds > held.requests * requested.seconds;
}
