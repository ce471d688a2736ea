import { PING, type DueDelivery } from '../deliveries/delivery-rows.js';
import type { Job } from './job.js';

/** The attempts of one webhook that somebody has requested. */
export class RequestedAttempts {
  private requested: DueDelivery[] = [];
  /** Until the database is seen to know it: for which request an attempt was made. */
  private readonly answered = new Map<string, number | null>();

  /** @param requested as the database has them. */
  update(requested: readonly DueDelivery[], isUnderWay: (eventId: string) => boolean): void {
    for (const id of this.answered.keys()) if (!requested.some((one) => one.id === id)) this.answered.delete(id);
    this.requested = requested.filter((one) => this.answered.get(one.id) !== one.asked_at && !isUnderWay(one.event_id));
  }

  next(isPingOnly: boolean, isBusy: (eventId: string) => boolean): Job | undefined {
    const index = this.requested.findIndex(({ event_id: id, type }) => !isBusy(id) && (type === PING || !isPingOnly));
    const [found] = index === -1 ? [] : this.requested.splice(index, 1);
    if (found === undefined) return undefined;
    const { id, event_id: eventId, type, tries, asked_at: requestedAt } = found;
    this.answered.set(id, requestedAt);
    return { reason: 'requested', eventId, type, deliveryId: id, tries: tries ?? 0 };
  }

  /** No attempt was made after all. */
  requestAgain({ deliveryId }: Job): void {
    if (deliveryId !== undefined) this.answered.delete(deliveryId);
  }

  /** Another instance sends by now. */
  lose(): void {
    this.answered.clear();
  }
}
