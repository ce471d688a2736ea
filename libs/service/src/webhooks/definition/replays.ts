import type { Queryable } from '../../data/database/database.js';

import type { WebhookState } from './webhook-state.js';

export interface Replay {
  readonly after: string;
  readonly to: string;
  /** Null for all events; otherwise only deliveries with this status. */
  readonly only: string | null;
}

type ReplayState = Pick<WebhookState, 'replay_after' | 'replay_to' | 'replay_only' | 'replay_next'>;

export function replayOf({ replay_after: after, replay_to: to, replay_only: only }: ReplayState): Replay | undefined {
  return after === null || to === null ? undefined : { after, to, only };
}

/**
 * Merges the request into a running replay with the same `only`. Queues the request behind a replay with another
 * `only`: a replay of failed deliveries must not send all events.
 * @param state row locked by `tx`.
 */
export async function requestReplay(
  tx: Queryable,
  webhookId: string,
  state: ReplayState,
  requested: Replay,
): Promise<void> {
  const current = replayOf(state);
  if (current === undefined || current.only === requested.only) return begin(tx, webhookId, joined(current, requested));
  await setNext(tx, webhookId, JSON.stringify(joined(nextOf(state), requested)));
}

export async function beginNextReplay(tx: Queryable, webhookId: string, state: ReplayState): Promise<void> {
  const next = nextOf(state);
  if (next === undefined) return;
  await begin(tx, webhookId, next);
  await setNext(tx, webhookId, null);
}

async function begin(tx: Queryable, webhookId: string, { after, to, only }: Replay): Promise<void> {
  await tx.query(
    `UPDATE webhook_states SET replay_after = $2, replay_to = $3, replay_only = $4, fence = fence + 1
     WHERE webhook_id = $1`,
    [webhookId, after, to, only],
  );
}

async function setNext(tx: Queryable, webhookId: string, next: string | null): Promise<void> {
  await tx.query('UPDATE webhook_states SET replay_next = $2 WHERE webhook_id = $1', [webhookId, next]);
}

function nextOf({ replay_next: next }: ReplayState): Replay | undefined {
  return next === null ? undefined : (JSON.parse(next) as Replay);
}

function joined(known: Replay | undefined, requested: Replay): Replay {
  return known !== undefined && known.after < requested.after ? { ...requested, after: known.after } : requested;
}
