import { ORDER_TRANSITIONS, type OrderStatus } from '@items/dtos/contract';
import { ConflictError } from '@items/conventions';

/** Checks a change of status. @throws {ConflictError} 409 with the allowed statuses. SPEC §3 */
export function requireTransition(from: OrderStatus, to: OrderStatus): void {
  if (!ORDER_TRANSITIONS[from].includes(to)) throw illegalTransition(from, to);
}

/** Returns the 409 error of a change that the current status does not allow. */
export function illegalTransition(from: OrderStatus, to: OrderStatus): ConflictError {
  const allowed = ORDER_TRANSITIONS[from];
  const words = allowed.map((status) => `"${status}"`).join(', ');
  const [sentence, message] =
    allowed.length === 0
      ? ['no transition is allowed, it is final', `No transition is allowed: "${from}" is final.`]
      : [`allowed: ${allowed.join(', ')}`, `"to" must be one of ${words}.`];
  return new ConflictError('illegal_transition', `An order that is ${from} cannot become ${to}; ${sentence}.`, {
    details: [{ field: 'to', code: 'not_allowed', message, params: { values: allowed } }],
  });
}
