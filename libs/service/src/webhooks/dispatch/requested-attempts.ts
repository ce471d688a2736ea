import { PING, type DueDelivery } from '../deliveries/delivery-rows.js';
import type { Job } from './job.js';

export class RequestedAttempts {
  private requested: DueDelivery[] = [];
  /** Attempts made (delivery → time of its request), until the database confirms them. */
  private readonly answered = new Map<string, number | null>();

  update(requested: readonly DueDelivery[], isUnrecorded: (eventId: string) => boolean): void {
    for (const id of this.answered.keys()) if (!requested.some((one) => one.id === id)) this.answered.delete(id);
    this.requested = requested.filter(
      (one) => this.answered.get(one.id) !== one.asked_at && !isUnrecorded(one.event_id),
    );
  }

  next(isPingOnly: boolean, isSending: (eventId: string) => boolean): Job | undefined {
    const index = this.requested.findIndex(
      ({ event_id: id, type }) => !isSending(id) && (type === PING || !isPingOnly),
    );
    const [found] = index === -1 ? [] : this.requested.splice(index, 1);
    if (found === undefined) return undefined;
    const { id, event_id: eventId, type, tries, asked_at: requestedAt } = found;
    this.answered.set(id, requestedAt);
    return { reason: 'requested', eventId, type, deliveryId: id, tries: tries ?? 0 };
  }

  /** Allows another attempt, because none was made. */
  requestAgain({ deliveryId }: Job): void {
    if (deliveryId !== undefined) this.answered.delete(deliveryId);
  }

  lose(): void {
    this.answered.clear();
  }
}
