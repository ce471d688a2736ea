import type { Scope } from '@items/dtos/contract';
import { type RateLimit } from '@items/conventions';

import { QuotaEscalationError, ScopeEscalationError } from '../errors/access-errors.js';
import { ADMIN_KEY_ID, type Principal } from '../principal/principal.js';

/** A credential never holds more than its creator. SPEC §5 rule 3 */
export function requireHeld({ scopes: held }: Principal, asked: Iterable<Scope>): void {
  const lacking = [...asked].filter((scope) => !held.has(scope));
  if (lacking.length > 0) throw new ScopeEscalationError(lacking);
}

/**
 * A key has neither a larger quota nor a larger rate than its creator. `ADMIN_API_KEY` may set any. SPEC §5 rule 3,
 * §5.3
 * @param asked Null for the default.
 * @param usual Default quota of a credential.
 */
export function requireQuota({ credentialId, rateLimit }: Principal, asked: RateLimit | null, usual: RateLimit): void {
  const held = rateLimit ?? usual;
  if (credentialId !== ADMIN_KEY_ID && exceeds(asked ?? usual, held)) throw new QuotaEscalationError(held);
}

function exceeds(asked: RateLimit, held: RateLimit): boolean {
  return asked.requests > held.requests || asked.requests * held.seconds > held.requests * asked.seconds;
}
