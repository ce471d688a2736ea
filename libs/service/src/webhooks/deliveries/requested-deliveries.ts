import type { Delivery } from '@items/dtos/contract';
import type { Tagged } from '../../data/collections/tagged.js';
import type { Queryable, Transaction } from '../../data/database/database.js';
import { NIL, v7 as uuidv7 } from 'uuid';

import { changeDelivery, PING, type DeliveryRows } from './delivery-rows.js';

export function addPing(tx: Transaction, rows: DeliveryRows, webhookId: string): Promise<Tagged<Delivery>> {
  const waiting = { status: 'pending', attempts: [], tries: 0, asked_at: Date.now() } as const;
  return rows.insert(tx, { webhook_id: webhookId, event_id: uuidv7(), type: PING, ...waiting });
}

/** @param tx must have locked the webhook's state, so that the count stays valid until the commit. */
export async function pingsUnderWay(tx: Queryable, webhookId: string, besides: string = NIL): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `SELECT count(*) AS n FROM deliveries
     WHERE asked_at IS NOT NULL AND webhook_id = $1 AND type = '${PING}' AND id <> $2`,
    [webhookId, besides],
  );
  return Number(row?.n);
}

/**
 * Requests an immediate attempt, for any status. Planned retries are unchanged.
 * @throws {ResourceNotFoundError} 404
 */
export function requestAttempt(
  tx: Transaction,
  rows: DeliveryRows,
  webhookId: string,
  deliveryId: string,
): Promise<Tagged<Delivery>> {
  return changeDelivery(tx, rows, { id: deliveryId, webhookId }, ({ status, status_before: before }) => ({
    status: 'pending',
    status_before: before ?? status,
    asked_at: Date.now(),
  }));
}
