import type { AuditNote } from '../../data/definition/change-recorder.js';
import { ALL_PARENTS } from '../../data/definition/parent-keys.js';
import type { Transaction } from '../../data/database/database.js';

import { unlessGone, type WebhookRows } from '../deliveries/delivery-rows.js';
import { removeState } from './webhook-state.js';

/**
 * Takes a webhook away, with all that it needs; its deliveries are purged later.
 * @param note what an audit says of it.
 */
export async function removeWebhook(tx: Transaction, rows: WebhookRows, id: string, note?: AuditNote): Promise<void> {
  // In the order in which the dispatcher locks.
  await removeState(tx, id);
  await unlessGone(rows.delete(tx, id, () => undefined, ALL_PARENTS, note));
}
