import type { AuditNote } from '../../data/definition/change-recorder.js';
import { ALL_PARENTS } from '../../data/definition/parent-keys.js';
import type { Transaction } from '../../data/database/database.js';

import { unlessGone, type WebhookRows } from '../deliveries/delivery-rows.js';
import { removeState } from './webhook-state.js';

/** Deletes a webhook; its deliveries are purged later. */
export async function removeWebhook(tx: Transaction, rows: WebhookRows, id: string, note?: AuditNote): Promise<void> {
  // Same lock order as the dispatcher, to avoid deadlocks.
  await removeState(tx, id);
  await unlessGone(rows.delete(tx, id, () => undefined, ALL_PARENTS, note));
}
