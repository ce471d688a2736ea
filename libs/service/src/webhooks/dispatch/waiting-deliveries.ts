import { PING, type DueDelivery } from '../deliveries/delivery-rows.js';
import type { Job, Reason } from './job.js';
import { MAX_WAITING, PROBE_MS } from './schedule.js';

interface WaitingDelivery extends Omit<Job, 'reason' | 'event'> {
  /** In milliseconds since the epoch. */
  readonly dueAt: number;
}

/** Deliveries of one webhook that wait for a retry. */
export class WaitingDeliveries {
  private readonly waiting = new Map<string, WaitingDelivery>();
  /** Events whose deliveries are retried before they are due, because another attempt succeeded. */
  private early: string[] = [];
  private probedAt = 0;

  /** Replaces the deliveries with the rows, except those with an unrecorded attempt: their state in memory is newer. */
  replaceRecorded(rows: readonly DueDelivery[], isUnrecorded: (eventId: string) => boolean): void {
    for (const eventId of this.waiting.keys()) if (!isUnrecorded(eventId)) this.waiting.delete(eventId);
    this.early = [];
    for (const { id, event_id: eventId, type, tries, next_attempt_at: dueAt } of rows) {
      if (type === PING || this.waiting.has(eventId)) continue;
      this.waiting.set(eventId, { eventId, type, deliveryId: id, tries: tries ?? 0, dueAt: dueAt ?? 0 });
    }
  }

  get size(): number {
    return this.waiting.size;
  }

  get events(): Iterable<string> {
    return this.waiting.keys();
  }

  has(eventId: string): boolean {
    return this.waiting.has(eventId);
  }

  /** Returns the retry that has been due the longest. */
  nextRetry(now: number, isUnrecorded: (eventId: string) => boolean): Job | undefined {
    let first: WaitingDelivery | undefined;
    for (const one of this.waiting.values()) {
      if (one.dueAt <= now && isFree(one, isUnrecorded) && one.dueAt < (first?.dueAt ?? Infinity)) first = one;
    }
    return first && jobOf(first, 'retry');
  }

  /** Returns when the next retry or probe is due; Infinity if none is planned. */
  nextAfter(now: number): number {
    let next = this.waiting.size < MAX_WAITING ? Infinity : this.probedAt + PROBE_MS;
    if (next <= now) next = Infinity;
    for (const { dueAt } of this.waiting.values()) if (dueAt > now && dueAt < next) next = dueAt;
    return next;
  }

  /**
   * While too many deliveries wait, returns the oldest once a minute; after a success, the others one by one.
   */
  nextEarly(now: number, isUnrecorded: (eventId: string) => boolean): Job | undefined {
    while (this.early.length > 0) {
      const one = this.waiting.get(this.early.shift() ?? '');
      if (one !== undefined && isFree(one, isUnrecorded)) return jobOf(one, 'early');
    }
    if (this.waiting.size < MAX_WAITING || now - this.probedAt < PROBE_MS) return undefined;
    const [oldest] = this.oldestFirst().filter((one) => isFree(one, isUnrecorded));
    if (oldest === undefined) return undefined;
    this.probedAt = now;
    return jobOf(oldest, 'early');
  }

  /** Removes the delivery. If too many waited, all others are retried early. */
  onSuccess(eventId: string): void {
    if (this.waiting.size >= MAX_WAITING) this.early = this.oldestFirst().map(({ eventId: id }) => id);
    this.waiting.delete(eventId);
  }

  /** @param now end of the failed attempt. */
  planRetry({ eventId, type, deliveryId }: Job, tries: number, dueAt: number, now: number): void {
    if (this.waiting.size === MAX_WAITING - 1) this.probedAt = now;
    this.waiting.set(eventId, { eventId, type, deliveryId, tries, dueAt });
  }

  postpone(eventId: string, dueAt: number): void {
    const one = this.waiting.get(eventId);
    if (one !== undefined) this.waiting.set(eventId, { ...one, dueAt });
  }

  setDeliveryId(eventId: string, deliveryId: string): void {
    const one = this.waiting.get(eventId);
    if (one !== undefined) this.waiting.set(eventId, { ...one, deliveryId });
  }

  remove(eventId: string): void {
    this.waiting.delete(eventId);
  }

  clear(): void {
    this.waiting.clear();
  }

  private oldestFirst(): WaitingDelivery[] {
    return [...this.waiting.values()].sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
  }
}

/** Returns whether the delivery is stored. False while one of its attempts is in progress or unrecorded. */
function isFree({ eventId, deliveryId }: WaitingDelivery, isUnrecorded: (eventId: string) => boolean): boolean {
  return deliveryId !== undefined && !isUnrecorded(eventId);
}

function jobOf({ dueAt: _, ...delivery }: WaitingDelivery, reason: Reason): Job {
  return { ...delivery, reason };
}
