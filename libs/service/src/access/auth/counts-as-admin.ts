import type { Role } from '@items/dtos/contract';

/**
 * Decides whether a credential may act as an administrator: see and change resources of other users, list all orders,
 * ship and deliver. All other code uses `principal.isAdmin`. An application that acts for a user never may, even for an
 * administrator: the user consented to "your orders", not to the orders of all users.
 * @param role current role of the user; undefined for a client that acts for itself.
 * @param delegatedTo the application that acts for the user, if any.
 * @see SPEC §5.2
 */
export function countsAsAdmin(role: Role | undefined, delegatedTo?: string): boolean {
  return role === 'admin' && delegatedTo === undefined;
}
