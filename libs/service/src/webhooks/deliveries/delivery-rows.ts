import type { CollectionService } from '../../data/collections/collection-service.js';
import type { Delivery, DeliveryStatus, Webhook } from '@items/dtos/contract';
import { ResourceNotFoundError } from '@items/conventions';
import type { Tagged } from '../../data/collections/tagged.js';
import type { Queryable, Transaction } from '../../data/database/database.js';
import { codeOf } from '../../data/database/error-codes.js';
import type { Fields, StoredMember } from '../../data/definition/collection.js';

import { CLOSED_STATE } from './delivery-partitions.js';

export interface HiddenDelivery {
  readonly webhook_id: string;
  /** Consecutive failed attempts, except requested and early ones. */
  readonly tries: number | null;
  readonly asked_at: number | null;
  readonly status_before: DeliveryStatus | null;
}

/** The user, API key or client (acting for itself) that created the webhook. */
export interface HiddenWebhook {
  readonly user_id: string | null;
  readonly key_id: string | null;
  readonly client_id: string | null;
  readonly maker: string | null;
  readonly secrets: string | null;
}

export type WebhookRows = Pick<
  CollectionService<Webhook, unknown, HiddenWebhook>,
  'lockAndUpdate' | 'updateKeepingTime' | 'delete'
>;

export type DeliveryRows = Pick<
  CollectionService<Delivery, unknown, HiddenDelivery>,
  'insert' | 'insertAll' | 'lockAndUpdate' | 'delete'
>;

/** @throws {ResourceNotFoundError} 404: the delivery was deleted, or its expired partition is being dropped. */
export async function changeDelivery(
  tx: Transaction,
  rows: Pick<DeliveryRows, 'lockAndUpdate'>,
  delivery: { readonly id: string; readonly webhookId: string },
  change: (current: StoredMember<Delivery, HiddenDelivery>) => Fields<Delivery, HiddenDelivery>,
): Promise<Tagged<Delivery>> {
  try {
    return await tx.savepoint(() => rows.lockAndUpdate(tx, delivery.id, change, { webhook_id: delivery.webhookId }));
  } catch (error) {
    throw codeOf(error) === CLOSED_STATE ? new ResourceNotFoundError('delivery') : error;
  }
}

/** Type of a ping: a test delivery without an event in the feed. */
export const PING = 'webhook.ping';

export interface DueDelivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly tries: number | null;
  /** Like `asked_at`, in milliseconds since the epoch. */
  readonly next_attempt_at: number | null;
  readonly asked_at: number | null;
}

const DUE = 'id, webhook_id, event_id, type, tries, next_attempt_at, asked_at';

export function waitingOf(database: Queryable, webhookId: string): Promise<DueDelivery[]> {
  return database.query<DueDelivery>(
    `SELECT ${DUE} FROM deliveries WHERE webhook_id = $1 AND status = 'pending' AND next_attempt_at IS NOT NULL
     ORDER BY id LIMIT 1000`,
    [webhookId],
  );
}

/** Maximum rows for all webhooks. At this number, each webhook is queried for up to `perWebhook` rows. */
const MAX_REQUESTED = { total: 200, perWebhook: 100 };

/**
 * Returns deliveries with a requested attempt. Limits them by webhook if there are many, so that a slow receiver does
 * not delay others.
 */
export async function requestedDeliveries(database: Queryable, webhookIds: readonly string[]): Promise<DueDelivery[]> {
  const order = 'ORDER BY asked_at, id LIMIT';
  const found = await database.query<DueDelivery>(
    `SELECT ${DUE} FROM deliveries WHERE asked_at IS NOT NULL ${order} ${String(MAX_REQUESTED.total)}`,
  );
  if (found.length < MAX_REQUESTED.total) return found;
  const perWebhook = `SELECT ${DUE} FROM deliveries
    WHERE asked_at IS NOT NULL AND webhook_id = $1 ${order} ${String(MAX_REQUESTED.perWebhook)}`;
  const shares: DueDelivery[][] = [];
  for (const id of webhookIds) shares.push(await database.query<DueDelivery>(perWebhook, [id]));
  return shares.flat();
}

export async function triedAfter(database: Queryable, webhookId: string, position: string): Promise<Set<string>> {
  const rows = await database.query<{ event_id: string }>(
    `SELECT event_id FROM deliveries WHERE webhook_id = $1 AND event_id > $2 AND type <> '${PING}'`,
    [webhookId, position],
  );
  return new Set(rows.map(({ event_id: id }) => id));
}

export async function deliveriesOf(
  database: Queryable,
  webhookId: string,
  eventIds: readonly string[],
): Promise<Map<string, DueDelivery>> {
  const [first, last] = [eventIds[0], eventIds.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const rows = await database.query<DueDelivery>(
    `SELECT ${DUE} FROM deliveries WHERE webhook_id = $1 AND event_id >= $2 AND event_id <= $3`,
    [webhookId, first, last],
  );
  return new Map(rows.map((row) => [row.event_id, row]));
}

export function failedBetween(
  database: Queryable,
  webhookId: string,
  { after, upTo, limit }: { readonly after: string; readonly upTo: string; readonly limit: number },
): Promise<DueDelivery[]> {
  return database.query<DueDelivery>(
    `SELECT ${DUE} FROM deliveries
     WHERE webhook_id = $1 AND event_id > $2 AND event_id <= $3 AND status = 'failed' AND type <> '${PING}'
     ORDER BY event_id LIMIT ${String(limit)}`,
    [webhookId, after, upTo],
  );
}

export async function lastTried(tx: Queryable, webhookId: string, before?: string): Promise<string | undefined> {
  const [row] = await tx.query<{ event_id: string }>(
    `SELECT event_id FROM deliveries WHERE webhook_id = $1 AND event_id < $2 AND type <> '${PING}'
     ORDER BY event_id DESC LIMIT 1`,
    [webhookId, before ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  );
  return row?.event_id;
}

/**
 * Ends pending deliveries, except pings. Deliveries with an earlier success become `succeeded`, all others `failed`.
 * Replays and requested attempts can send them again.
 */
export async function endPending(tx: Transaction, rows: DeliveryRows, webhookId: string): Promise<void> {
  const waiting = await tx.query<{ id: string }>(
    `SELECT id FROM deliveries WHERE webhook_id = $1 AND status = 'pending' AND type <> '${PING}'`,
    [webhookId],
  );
  for (const { id } of waiting) {
    const given = changeDelivery(tx, rows, { id, webhookId }, ({ status_before: before }) => ({
      status: before === 'succeeded' ? 'succeeded' : 'failed',
      next_attempt_at: null,
      asked_at: null,
      status_before: null,
    }));
    await unlessGone(given);
  }
}

export async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ResourceNotFoundError)) throw error;
  }
}
