import type { Database, Queryable, Transaction } from '../../data/database/database.js';

/**
 * Where a webhook stands in the feed, which instance sends for it, and how it goes. A row beside the webhook's own, since it
 * changes with every few deliveries: no version of it is kept, and no entity tag depends on it.
 */
export interface WebhookState {
  readonly webhook_id: string;
  /** The instance that sends; null where none does. */
  readonly holder: string | null;
  /** Changes whenever the holder gives a sign of life, and with the holder. */
  readonly beat: number;
  /** Changes when the place is set by anybody but the holder, and with the holder. */
  readonly fence: number;
  /** All events up to it were tried, or were not for this webhook. */
  readonly place: string;
  /** The last event that was tried; null before the first. */
  readonly begun: string | null;
  /** Milliseconds since the epoch: since when every attempt has failed. */
  readonly failing_since: number | null;
  /** Milliseconds since the epoch: the last of these attempts. */
  readonly failed_at: number | null;
  /** Milliseconds since the epoch: before it nothing is sent, as the receiver has asked. */
  readonly hold_until: number | null;
  /** Events behind it, up to `replay_to`, are sent again; null where none are. */
  readonly replay_after: string | null;
  readonly replay_to: string | null;
  /** Only those whose delivery has failed; null for all. */
  readonly replay_only: string | null;
  /** JSON of the replay that follows, of the other kind; null where none does. */
  readonly replay_next: string | null;
}

const COLUMNS =
  'webhook_id, holder, beat, fence, place, begun, failing_since, failed_at, hold_until, replay_after, replay_to, replay_only, replay_next';

/** A webhook that is new. @param place of its creation. */
export async function addState(tx: Queryable, webhookId: string, place: string): Promise<void> {
  await tx.query('INSERT INTO webhook_states (webhook_id, place) VALUES ($1, $2)', [webhookId, place]);
}

/** Where the webhook stands, locked until the transaction ends; undefined where there is none. */
export async function lockState(
  { dialect }: Database,
  tx: Transaction,
  webhookId: string,
): Promise<WebhookState | undefined> {
  const forUpdate = dialect === 'postgres' ? ' FOR UPDATE' : '';
  const [state] = await tx.query<WebhookState>(
    `SELECT ${COLUMNS} FROM webhook_states WHERE webhook_id = $1${forUpdate}`,
    [webhookId],
  );
  return state;
}

/** Those of all webhooks: there are few. */
export async function allStates(database: Queryable): Promise<readonly WebhookState[]> {
  return database.query<WebhookState>(`SELECT ${COLUMNS} FROM webhook_states`);
}

/** What a holder finds out while it sends. */
export type Progress = Pick<
  WebhookState,
  'place' | 'begun' | 'failing_since' | 'failed_at' | 'hold_until' | 'replay_after'
>;

/** Notes how far the holder has come. */
export async function noteProgress(tx: Queryable, webhookId: string, progress: Progress): Promise<void> {
  const { place, begun, failing_since: failingSince, failed_at: failedAt } = progress;
  await tx.query(
    `UPDATE webhook_states SET place = $2, begun = $3, failing_since = $4, failed_at = $5, hold_until = $6,
       replay_after = $7
     WHERE webhook_id = $1`,
    [webhookId, place, begun, failingSince, failedAt, progress.hold_until, progress.replay_after],
  );
}

/** Lets a webhook begin anew: with what follows the place. */
export async function beginAt(tx: Queryable, webhookId: string, place: string): Promise<void> {
  await tx.query(
    `UPDATE webhook_states SET place = $2, failing_since = NULL, failed_at = NULL, hold_until = NULL, replay_after = NULL,
       replay_to = NULL, replay_only = NULL, replay_next = NULL, fence = fence + 1
     WHERE webhook_id = $1`,
    [webhookId, place],
  );
}

/** What a webhook leaves behind; its deliveries are purged later. */
export async function removeState(tx: Queryable, webhookId: string): Promise<void> {
  await tx.query('DELETE FROM webhook_states WHERE webhook_id = $1', [webhookId]);
  await tx.query('DELETE FROM webhook_secrets WHERE webhook_id = $1', [webhookId]);
}
