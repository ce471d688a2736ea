import { PING, type DueDelivery } from '../deliveries/delivery-rows.js';
import type { Job } from './job.js';

/** Attempts of one webhook that the API requested. */
export class RequestedAttempts {
  private requested: DueDelivery[] = [];
  /** Attempts that began, but are still requested in the database. Maps each delivery to the time of its request. */
  private readonly unconfirmed = new Map<string, number | null>();

  update(requested: readonly DueDelivery[], isUnrecorded: (eventId: string) => boolean): void {
    for (const id of this.unconfirmed.keys()) if (!requested.some((one) => one.id === id)) this.unconfirmed.delete(id);
    this.requested = requested.filter(
      (one) => this.unconfirmed.get(one.id) !== one.asked_at && !isUnrecorded(one.event_id),
    );
  }

  next(isPingOnly: boolean, isSending: (eventId: string) => boolean): Job | undefined {
    const index = this.requested.findIndex(
      ({ event_id: id, type }) => !isSending(id) && (type === PING || !isPingOnly),
    );
    const [found] = index === -1 ? [] : this.requested.splice(index, 1);
    if (found === undefined) return undefined;
    const { id, event_id: eventId, type, tries, asked_at: requestedAt } = found;
    this.unconfirmed.set(id, requestedAt);
    return { reason: 'requested', eventId, type, deliveryId: id, tries: tries ?? 0 };
  }

  /** Allows another attempt, because the last one had no result. */
  requestAgain({ deliveryId }: Job): void {
    if (deliveryId !== undefined) this.unconfirmed.delete(deliveryId);
  }

  forgetUnconfirmed(): void {
    this.unconfirmed.clear();
  }
}
