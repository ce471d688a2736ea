import type { Delivery } from '@items/contracts';
import type { Tagged } from '@items/collections';
import type { Transaction } from '@items/store';
import { v7 as uuidv7 } from 'uuid';

import { PING, type DeliveryRows } from './delivery-rows.js';

/** A ping, which is sent at once: its delivery. */
export function addPing(tx: Transaction, rows: DeliveryRows, webhookId: string): Promise<Tagged<Delivery>> {
  const waiting = { status: 'pending', attempts: [], tries: 0, asked_at: Date.now() } as const;
  return rows.insert(tx, { webhook_id: webhookId, event_id: uuidv7(), type: PING, ...waiting });
}

/**
 * Asks for one more attempt, at once and whatever became of those before; it changes nothing of when the next one is due.
 * @throws {ResourceNotFoundError} 404
 */
export function askAgain(
  tx: Transaction,
  rows: DeliveryRows,
  webhookId: string,
  deliveryId: string,
): Promise<Tagged<Delivery>> {
  const ask = (current: { readonly status: Delivery['status']; readonly status_before: Delivery['status'] | null }) =>
    ({ status: 'pending', status_before: current.status_before ?? current.status, asked_at: Date.now() }) as const;
  return rows.lockAndUpdate(tx, deliveryId, ask, { webhook_id: webhookId });
}
