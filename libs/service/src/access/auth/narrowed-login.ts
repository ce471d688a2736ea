import type { Scope } from '@items/dtos/contract';

import type { Principal } from '../principal/principal.js';

/**
 * Whether a credential is a login with fewer scopes than its user. Such a login may end neither other logins nor
 * approvals.
 * @param held current scopes of the user.
 * @see SPEC §5.2
 */
export function isNarrowedLogin({ kind, delegatedTo, scopes }: Principal, held: ReadonlySet<Scope>): boolean {
  const isToken = kind === 'bearer' || kind === 'strategy';
  return isToken && delegatedTo === undefined && [...held].some((scope) => !scopes.has(scope));
}
