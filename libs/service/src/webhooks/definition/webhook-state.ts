import type { Database, Queryable, Transaction } from '../../data/database/database.js';
import type { AuditNote } from '../../data/definition/change-recorder.js';
import { ALL_PARENTS } from '../../data/definition/parent-keys.js';

import { unlessGone, type WebhookRows } from '../deliveries/delivery-rows.js';
import { webhookSecrets } from './webhook-secrets.js';

/**
 * The state has a separate table: it changes with every few deliveries, and needs no stored versions or ETag. Times are
 * in milliseconds since the epoch.
 */
export interface WebhookState {
  readonly webhook_id: string;
  readonly holder: string | null;
  /** Incremented when the lease is taken, renewed or released. */
  readonly beat: number;
  /** Incremented by a new holder, a reset of the position and a new replay: the runner then loads the state again. */
  readonly fence: number;
  /** Position in the feed: all events up to this id were attempted, or are not for this webhook. */
  readonly place: string;
  /** Last event whose first attempt has begun. */
  readonly begun: string | null;
  readonly failing_since: number | null;
  readonly failed_at: number | null;
  /** End of the pause that the receiver requested. */
  readonly hold_until: number | null;
  /** Events after this position, up to `replay_to`, are sent again. */
  readonly replay_after: string | null;
  readonly replay_to: string | null;
  readonly replay_only: string | null;
  /** JSON of the replay that begins after the current one. */
  readonly replay_next: string | null;
}

const COLUMNS =
  'webhook_id, holder, beat, fence, place, begun, failing_since, failed_at, hold_until, replay_after, replay_to, replay_only, replay_next';

export async function addState(tx: Queryable, webhookId: string, position: string): Promise<void> {
  await tx.query('INSERT INTO webhook_states (webhook_id, place) VALUES ($1, $2)', [webhookId, position]);
}

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

export async function allStates(database: Queryable): Promise<readonly WebhookState[]> {
  return database.query<WebhookState>(`SELECT ${COLUMNS} FROM webhook_states`);
}

export type Progress = Pick<
  WebhookState,
  'place' | 'begun' | 'failing_since' | 'failed_at' | 'hold_until' | 'replay_after'
>;

export async function saveProgress(tx: Queryable, webhookId: string, progress: Progress): Promise<void> {
  const { place, begun, failing_since: failingSince, failed_at: failedAt } = progress;
  await tx.query(
    `UPDATE webhook_states SET place = $2, begun = $3, failing_since = $4, failed_at = $5, hold_until = $6,
       replay_after = $7
     WHERE webhook_id = $1`,
    [webhookId, place, begun, failingSince, failedAt, progress.hold_until, progress.replay_after],
  );
}

/** Moves a webhook to a position, and clears failures, pause and replays. */
export async function beginAt(tx: Queryable, webhookId: string, position: string): Promise<void> {
  await tx.query(
    `UPDATE webhook_states SET place = $2, failing_since = NULL, failed_at = NULL, hold_until = NULL, replay_after = NULL,
       replay_to = NULL, replay_only = NULL, replay_next = NULL, fence = fence + 1
     WHERE webhook_id = $1`,
    [webhookId, position],
  );
}

export async function removeState(tx: Queryable, webhookId: string): Promise<void> {
  await tx.query('DELETE FROM webhook_states WHERE webhook_id = $1', [webhookId]);
  await webhookSecrets.remove(tx, webhookId);
}

/** Deletes a webhook; its deliveries are purged later. */
export async function removeWebhook(tx: Transaction, rows: WebhookRows, id: string, note?: AuditNote): Promise<void> {
  // Delete the state first, in the dispatcher's lock order, to avoid deadlocks.
  await removeState(tx, id);
  await unlessGone(rows.delete(tx, id, () => undefined, ALL_PARENTS, note));
}
