import type { Scope } from '@items/dtos/contract';
import { type RateLimit } from '@items/conventions';

import { QuotaEscalationError, ScopeEscalationError } from '../errors/access-errors.js';
import { ADMIN_KEY_ID, type Principal } from '../principal/principal.js';

/** A new credential can never hold more than its creator. @throws {ScopeEscalationError} 403 SPEC §5 rule 3 */
export function requireHeld({ scopes: held }: Principal, asked: Iterable<Scope>): void {
  const lacking = [...asked].filter((scope) => !held.has(scope));
  if (lacking.length > 0) throw new ScopeEscalationError(lacking);
}

/**
 * Refuses a key with a larger quota, or a larger rate, than that of its creator. `ADMIN_API_KEY`
 * may set any.
 * @param asked null for the default.
 * @param usual the default quota of a credential.
 * @throws {QuotaEscalationError} 403 SPEC §5 rule 3, §5.3
 */
export function requireQuota({ credentialId, rateLimit }: Principal, asked: RateLimit | null, usual: RateLimit): void {
  const held = rateLimit ?? usual;
  if (credentialId !== ADMIN_KEY_ID && exceeds(asked ?? usual, held)) throw new QuotaEscalationError(held);
}

function exceeds(asked: RateLimit, held: RateLimit): boolean {
  return asked.requests > held.requests || asked.requests * held.seconds > held.requests * asked.seconds;
}
