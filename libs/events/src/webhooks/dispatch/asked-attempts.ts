import { PING, type DueDelivery } from '../deliveries/delivery-rows.js';
import type { Job } from './job.js';

/** The attempts of one webhook that somebody has asked for. */
export class AskedAttempts {
  private asked: DueDelivery[] = [];
  /** Until the database is seen to know it: for which asking an attempt was made. */
  private readonly answered = new Map<string, number | null>();

  /** @param asked as the database has them. */
  update(asked: readonly DueDelivery[], isUnderWay: (eventId: string) => boolean): void {
    for (const id of this.answered.keys()) if (!asked.some((one) => one.id === id)) this.answered.delete(id);
    this.asked = asked.filter((one) => this.answered.get(one.id) !== one.asked_at && !isUnderWay(one.event_id));
  }

  next(isPingOnly: boolean, isBusy: (eventId: string) => boolean): Job | undefined {
    const place = this.asked.findIndex(({ event_id: id, type }) => !isBusy(id) && (type === PING || !isPingOnly));
    const [found] = place === -1 ? [] : this.asked.splice(place, 1);
    if (found === undefined) return undefined;
    const { id, event_id: eventId, type, tries, asked_at: askedAt } = found;
    this.answered.set(id, askedAt);
    return { reason: 'asked', eventId, type, deliveryId: id, tries: tries ?? 0 };
  }

  /** No attempt was made after all. */
  askAgain({ deliveryId }: Job): void {
    if (deliveryId !== undefined) this.answered.delete(deliveryId);
  }

  /** Another instance sends by now. */
  lose(): void {
    this.answered.clear();
  }
}
