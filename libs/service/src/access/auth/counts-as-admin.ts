import type { Role } from '@items/dtos/contract';

/**
 * Whether a credential may act as an administrator: see and change what belongs to other users, list everybody's
 * orders, ship and deliver. This is the one place that decides it; everyone else asks `principal.isAdmin`.
 *
 * An application that acts for a user never does, not even for an administrator: the user was asked about "your
 * orders", not about everybody's.
 * @param role of the credential's user, now; undefined for a client that acts for itself.
 * @param delegatedTo the application that acts for the user; undefined where the user acts.
 * @see SPEC §5.2
 */
export function countsAsAdmin(role: Role | undefined, delegatedTo?: string): boolean {
  return role === 'admin' && delegatedTo === undefined;
}
