import type { Scope } from '@items/contracts';
import { ScopeEscalationError } from '@items/errors';

import type { Principal } from './principal.js';

/** A new credential can never hold more than its creator. @throws {ScopeEscalationError} 403 SPEC §5 rule 3 */
export function requireHeld({ scopes: held }: Principal, asked: Iterable<Scope>): void {
  const lacking = [...asked].filter((scope) => !held.has(scope));
  if (lacking.length > 0) throw new ScopeEscalationError(lacking);
}
