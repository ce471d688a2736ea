import type { CollectionService } from '../../data/collections/collection-service.js';
import type { Delivery, DeliveryStatus, Webhook } from '@items/dtos/contract';
import { ResourceNotFoundError } from '@items/conventions';
import type { Queryable, Transaction } from '../../data/database/database.js';

/** Columns of a delivery that are not shown. */
export interface HiddenDelivery {
  readonly webhook_id: string;
  /** Failures in turn that count towards the retries. */
  readonly tries: number | null;
  /** Since when an attempt is asked for, in milliseconds since the epoch; null where none is. */
  readonly asked_at: number | null;
  /** The status before that was asked for. */
  readonly status_before: DeliveryStatus | null;
}

/** Columns of a webhook that are not shown. */
export interface HiddenWebhook {
  /** The user whose credential created it; null for one that belongs to no user. */
  readonly user_id: string | null;
  /** The API key that created it; null for any other credential. */
  readonly key_id: string | null;
  /** The client that created it for itself; null for any other credential. */
  readonly client_id: string | null;
  /** JSON of what the credential was. */
  readonly maker: string | null;
  /** What is shown of the secrets. */
  readonly secrets: string | null;
}

/** The collection of webhooks, as far as this lib writes to it. */
export type WebhookRows = Pick<
  CollectionService<Webhook, unknown, HiddenWebhook>,
  'lockAndUpdate' | 'updateKeepingTime' | 'delete'
>;

/** The collection of deliveries, as far as this lib writes to it. */
export type DeliveryRows = Pick<
  CollectionService<Delivery, unknown, HiddenDelivery>,
  'insert' | 'insertAll' | 'lockAndUpdate' | 'delete'
>;

/** What is sent when a webhook is tried, and is no event of the feed. */
export const PING = 'webhook.ping';

/** A delivery that is to be attempted. */
export interface DueDelivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly tries: number | null;
  /** Milliseconds since the epoch. */
  readonly next_attempt_at: number | null;
  /** Milliseconds since the epoch. */
  readonly asked_at: number | null;
}

const DUE = 'id, webhook_id, event_id, type, tries, next_attempt_at, asked_at';

/** Those that wait for a retry, oldest first. */
export function waitingOf(database: Queryable, webhookId: string): Promise<DueDelivery[]> {
  return database.query<DueDelivery>(
    `SELECT ${DUE} FROM deliveries WHERE webhook_id = $1 AND status = 'pending' AND next_attempt_at IS NOT NULL
     ORDER BY id LIMIT 1000`,
    [webhookId],
  );
}

/** So many requested attempts are read at once: of all webhooks; and of each, where there are more. */
const REQUESTED = { ofAll: 200, ofEach: 100 };

/**
 * Those of which somebody has requested an attempt, of each webhook in turn. Where there are many, each webhook has its share: those of
 * one that is slow, or to which nothing is sent, keep no other waiting.
 */
export async function requestedDeliveries(database: Queryable, webhookIds: readonly string[]): Promise<DueDelivery[]> {
  const order = 'ORDER BY asked_at, id LIMIT';
  const found = await database.query<DueDelivery>(
    `SELECT ${DUE} FROM deliveries WHERE asked_at IS NOT NULL ${order} ${String(REQUESTED.ofAll)}`,
  );
  if (found.length < REQUESTED.ofAll) return found;
  const ofEach = `SELECT ${DUE} FROM deliveries
    WHERE asked_at IS NOT NULL AND webhook_id = $1 ${order} ${String(REQUESTED.ofEach)}`;
  const shares: DueDelivery[][] = [];
  for (const id of webhookIds) shares.push(await database.query<DueDelivery>(ofEach, [id]));
  return shares.flat();
}

/** Events behind a place that have a delivery already. */
export async function triedBehind(database: Queryable, webhookId: string, place: string): Promise<Set<string>> {
  const rows = await database.query<{ event_id: string }>(
    `SELECT event_id FROM deliveries WHERE webhook_id = $1 AND event_id > $2 AND type <> '${PING}'`,
    [webhookId, place],
  );
  return new Set(rows.map(({ event_id: id }) => id));
}

/** The deliveries of some events, by event. */
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

/** Failed deliveries of events in a stretch of the feed, in its order. */
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

/** The last event before this one that was tried. @param before an id; undefined for the last of all. */
export async function lastTried(tx: Queryable, webhookId: string, before?: string): Promise<string | undefined> {
  const [row] = await tx.query<{ event_id: string }>(
    `SELECT event_id FROM deliveries WHERE webhook_id = $1 AND event_id < $2 AND type <> '${PING}'
     ORDER BY event_id DESC LIMIT 1`,
    [webhookId, before ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  );
  return row?.event_id;
}

/**
 * Nothing waits any more: `replays` and `attempts` send again what was given up. What had succeeded before it was asked for
 * once more has succeeded.
 */
export async function giveUpWaiting(tx: Transaction, rows: DeliveryRows, webhookId: string): Promise<void> {
  const waiting = await tx.query<{ id: string }>(
    `SELECT id FROM deliveries WHERE webhook_id = $1 AND status = 'pending' AND type <> '${PING}'`,
    [webhookId],
  );
  for (const { id } of waiting) {
    const done = { next_attempt_at: null, asked_at: null, status_before: null };
    const giveUp = ({ status_before: before }: Pick<HiddenDelivery, 'status_before'>) =>
      ({ ...done, status: before === 'succeeded' ? 'succeeded' : 'failed' }) as const;
    await rows.lockAndUpdate(tx, id, giveUp, { webhook_id: webhookId });
  }
}

/** What is gone meanwhile needs no change. */
export async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ResourceNotFoundError)) throw error;
  }
}
