import { STAFF_STATUSES, type OrderStatus } from '@items/dtos/contract';
import { ApiError } from '@items/conventions';

import type { Principal } from '@items/service/collections';

/**
 * 403: another caller than an administrator, such as the owner of the order, requested a status that only staff may set.
 * SPEC §3
 */
export class StaffOnlyError extends ApiError {
  override readonly status = 403;
  override readonly code = 'staff_only';

  /** @param status requested status. */
  constructor(status: OrderStatus) {
    super(`Only an administrator may set an order to ${status}; its owner may confirm and cancel it.`);
  }
}

/** Checks that only staff ships and delivers orders. @throws {StaffOnlyError} 403 SPEC §3 */
export function requireStaff({ isAdmin }: Principal, to: OrderStatus): void {
  if (STAFF_STATUSES.includes(to) && !isAdmin) throw new StaffOnlyError(to);
}
