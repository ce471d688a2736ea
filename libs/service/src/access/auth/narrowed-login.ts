import type { Scope } from '@items/dtos/contract';

import type { Principal } from '../principal/principal.js';

/**
 * Whether a credential is the token of a login that may do less than its user: what was narrowed on purpose ends
 * no other login, and no approval.
 * @param held the scopes of the user, now.
 * @see SPEC §5.2
 */
export function isNarrowedLogin({ kind, delegatedTo, scopes }: Principal, held: ReadonlySet<Scope>): boolean {
  return kind === 'bearer' && delegatedTo === undefined && [...held].some((scope) => !scopes.has(scope));
}
