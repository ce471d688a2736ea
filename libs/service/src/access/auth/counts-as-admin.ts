import type { Role } from '@items/dtos/contract';

/**
 * Whether a credential may see and change resources of other users, list all orders, ship and deliver. All other code
 * uses `principal.isAdmin`. An application never may, even for an administrator, who consented to "your orders" only.
 * @param role Undefined for a client that acts for itself.
 * @param delegatedTo Application that acts for the user.
 * @see SPEC §5.2
 */
export function countsAsAdmin(role: Role | undefined, delegatedTo?: string): boolean {
  return role === 'admin' && delegatedTo === undefined;
}
