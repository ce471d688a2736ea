import type { RateLimit, Scope } from '@items/contracts';
import { QuotaEscalationError, ScopeEscalationError } from '@items/errors';

import type { Principal } from './principal.js';

/** A new credential can never hold more than its creator. @throws {ScopeEscalationError} 403 SPEC §5 rule 3 */
export function requireHeld({ scopes: held }: Principal, asked: Iterable<Scope>): void {
  const lacking = [...asked].filter((scope) => !held.has(scope));
  if (lacking.length > 0) throw new ScopeEscalationError(lacking);
}

/**
 * A key's own quota is not a way around that of who makes it; administrators set any.
 * @param usual the quota of a credential that has none of its own.
 * @throws {QuotaEscalationError} 403 SPEC §5 rule 3
 */
export function requireQuota({ isAdmin, rateLimit }: Principal, asked: RateLimit | null, usual: RateLimit): void {
  const held = rateLimit ?? usual;
  if (!isAdmin && asked !== null && perSecond(asked) > perSecond(held)) throw new QuotaEscalationError(held);
}

function perSecond({ requests, seconds }: RateLimit): number {
  return requests / seconds;
}
