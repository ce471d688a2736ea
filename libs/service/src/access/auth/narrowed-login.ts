import type { Scope } from '@items/dtos/contract';

import type { Principal } from '../principal/principal.js';

/**
 * A login with fewer scopes than its user may end neither other logins nor approvals.
 * @param held Current scopes of the user.
 * @see SPEC §5.2
 */
export function isNarrowedLogin({ kind, delegatedTo, scopes }: Principal, held: ReadonlySet<Scope>): boolean {
  const isToken = kind === 'bearer' || kind === 'strategy';
  return isToken && delegatedTo === undefined && [...held].some((scope) => !scopes.has(scope));
}
