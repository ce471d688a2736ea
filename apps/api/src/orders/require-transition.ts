import { ApiError, ConflictError } from '@items/conventions';
import { ORDER_TRANSITIONS, type OrderStatus, STAFF_STATUSES } from '@items/dtos/contract';
import type { Principal } from '@items/service';

/** 403: only staff may set the status. The owner of the order is not staff. SPEC §3 */
export class StaffOnlyError extends ApiError {
  override readonly status = 403;
  override readonly code = 'staff_only';

  constructor(requested: OrderStatus) {
    super(`Only an administrator may set an order to ${requested}; its owner may confirm and cancel it.`);
  }
}

/** Only staff ships and delivers orders. SPEC §3 @throws {StaffOnlyError} 403 */
export function requireStaff({ isAdmin }: Principal, to: OrderStatus): void {
  if (STAFF_STATUSES.includes(to) && !isAdmin) throw new StaffOnlyError(to);
}

/** @throws {ConflictError} 409 with the allowed statuses. SPEC §3 */
export function requireTransition(from: OrderStatus, to: OrderStatus): void {
  if (!ORDER_TRANSITIONS[from].includes(to)) throw illegalTransition(from, to);
}

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
