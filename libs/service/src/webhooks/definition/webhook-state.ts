import { webhookSecrets } from './webhook-secrets.js';
import type { Database, Queryable, Transaction } from '../../data/database/database.js';

/**
 * Position in the feed, lease and health of a webhook. A separate row, because it changes with every few deliveries,
 * and needs no versions or entity tag.
 */
export interface WebhookState {
  readonly webhook_id: string;
  /** The sending instance; null if there is none. */
  readonly holder: string | null;
  /** Changes with every renewal of the lease, and with the holder. */
  readonly beat: number;
  /** Changes with the holder, and when anything but the holder sets the position. */
  readonly fence: number;
  /** All events up to it were attempted, or are not for this webhook. */
  readonly place: string;
  /** The last event that was attempted; null before the first. */
  readonly begun: string | null;
  /** Start of continuous failure, in milliseconds since the epoch. */
  readonly failing_since: number | null;
  /** Last failed attempt, in milliseconds since the epoch. */
  readonly failed_at: number | null;
  /** End of the pause that the receiver requested, in milliseconds since the epoch. */
  readonly hold_until: number | null;
  /** Events after it, up to `replay_to`, are sent again; null without a replay. */
  readonly replay_after: string | null;
  readonly replay_to: string | null;
  /** Only failed deliveries; null for all. */
  readonly replay_only: string | null;
  /** JSON of the queued replay of the other kind; null if none. */
  readonly replay_next: string | null;
}

const COLUMNS =
  'webhook_id, holder, beat, fence, place, begun, failing_since, failed_at, hold_until, replay_after, replay_to, replay_only, replay_next';

/** Inserts the state of a new webhook. @param place position at its creation. */
export async function addState(tx: Queryable, webhookId: string, place: string): Promise<void> {
  await tx.query('INSERT INTO webhook_states (webhook_id, place) VALUES ($1, $2)', [webhookId, place]);
}

/** Returns the state, locked until the transaction ends; undefined if there is none. */
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

/** Returns the states of all webhooks: there are few. */
export async function allStates(database: Queryable): Promise<readonly WebhookState[]> {
  return database.query<WebhookState>(`SELECT ${COLUMNS} FROM webhook_states`);
}

/** The part of the state that the holder updates. */
export type Progress = Pick<
  WebhookState,
  'place' | 'begun' | 'failing_since' | 'failed_at' | 'hold_until' | 'replay_after'
>;

/** Stores the holder's progress. */
export async function noteProgress(tx: Queryable, webhookId: string, progress: Progress): Promise<void> {
  const { place, begun, failing_since: failingSince, failed_at: failedAt } = progress;
  await tx.query(
    `UPDATE webhook_states SET place = $2, begun = $3, failing_since = $4, failed_at = $5, hold_until = $6,
       replay_after = $7
     WHERE webhook_id = $1`,
    [webhookId, place, begun, failingSince, failedAt, progress.hold_until, progress.replay_after],
  );
}

/** Restarts a webhook after a position. */
export async function beginAt(tx: Queryable, webhookId: string, place: string): Promise<void> {
  await tx.query(
    `UPDATE webhook_states SET place = $2, failing_since = NULL, failed_at = NULL, hold_until = NULL, replay_after = NULL,
       replay_to = NULL, replay_only = NULL, replay_next = NULL, fence = fence + 1
     WHERE webhook_id = $1`,
    [webhookId, place],
  );
}

/** Deletes state and secrets of a webhook; its deliveries are purged later. */
export async function removeState(tx: Queryable, webhookId: string): Promise<void> {
  await tx.query('DELETE FROM webhook_states WHERE webhook_id = $1', [webhookId]);
  await webhookSecrets.remove(tx, webhookId);
}
