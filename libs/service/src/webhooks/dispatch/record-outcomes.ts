import type { Fields, StoredMember } from '../../data/definition/collection.js';
import { formatTime } from '../../data/definition/column-codecs.js';
import type { Delivery, DeliveryAttempt } from '@items/dtos/contract';
import type { Transaction } from '../../data/database/database.js';

import { changeDelivery, unlessGone, type DeliveryRows, type HiddenDelivery } from '../deliveries/delivery-rows.js';
import type { Outcome } from './job.js';

/** Maximum number of attempts that a delivery shows. SPEC §6.2 */
const SHOWN_ATTEMPTS = 10;

/**
 * Inserts and updates deliveries. `tx` also stores the webhook's progress.
 * @returns the ids of inserted deliveries, by event.
 */
export async function recordOutcomes(
  tx: Transaction,
  rows: DeliveryRows,
  webhookId: string,
  outcomes: readonly Outcome[],
): Promise<Map<string, string>> {
  const first = new Map<string, Outcome>();
  const further: Outcome[] = [];
  for (const outcome of outcomes) {
    const { deliveryId, eventId } = outcome.job;
    if (deliveryId === undefined && !first.has(eventId)) first.set(eventId, outcome);
    else further.push(outcome);
  }
  const fresh = [...first.values()].map((outcome) => ({ fields: newDelivery(webhookId, outcome) }));
  const added = await rows.insertAll(tx, fresh);
  const inserted = new Map(added.map(({ id, event_id: eventId }) => [eventId, id]));
  for (const outcome of further) {
    const { deliveryId: id = inserted.get(outcome.job.eventId) ?? '' } = outcome.job;
    await unlessGone(changeDelivery(tx, rows, { id, webhookId }, (current) => changed(current, outcome)));
  }
  return inserted;
}

type Columns = Fields<Delivery, HiddenDelivery>;

function newDelivery(
  webhookId: string,
  { job, attempt, status = 'failed', nextAttemptAt, tries = 0 }: Outcome,
): Columns {
  return {
    webhook_id: webhookId,
    event_id: job.eventId,
    type: job.type,
    status,
    attempts: attempt === undefined ? [] : [attempt],
    next_attempt_at: timeOrNull(nextAttemptAt ?? null),
    tries,
  };
}

function changed(current: StoredMember<Delivery, HiddenDelivery>, outcome: Outcome): Columns {
  const { job, attempt, nextAttemptAt, tries } = outcome;
  const isRequestedAttempt = job.reason === 'requested';
  const before = isRequestedAttempt ? (current.status_before ?? 'failed') : current.status;
  const status = outcome.status ?? before;
  // The delivery stays pending if another attempt was requested meanwhile.
  const isRequestPending = !isRequestedAttempt && current.asked_at !== null;
  return {
    attempts: withLast(current.attempts, attempt),
    ...(isRequestPending ? { status: 'pending', status_before: outcome.status ?? current.status_before } : { status }),
    ...(nextAttemptAt !== undefined && { next_attempt_at: timeOrNull(nextAttemptAt) }),
    ...(tries !== undefined && { tries }),
    ...(isRequestedAttempt && { asked_at: null, status_before: null }),
  };
}

function withLast(attempts: readonly DeliveryAttempt[], attempt: DeliveryAttempt | undefined): DeliveryAttempt[] {
  return [...attempts, ...(attempt === undefined ? [] : [attempt])].slice(-SHOWN_ATTEMPTS);
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatTime(ms);
}
