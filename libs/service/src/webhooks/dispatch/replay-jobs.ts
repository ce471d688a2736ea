import type { Events } from '../../feed/events.js';
import type { Visibility } from '../../feed/visibility.js';
import type { Database } from '../../data/database/database.js';

import { deliveriesOf, failedBetween } from '../deliveries/delivery-rows.js';
import type { Replay } from '../definition/replays.js';
import type { Job } from './job.js';

export interface ReplaySource {
  readonly database: Database;
  readonly events: Pick<Events, 'segment'>;
  readonly webhookId: string;
}

export interface WantedEvents {
  readonly types: readonly string[] | undefined;
  readonly visible: Visibility;
}

export interface ReplayJobs {
  readonly jobs: readonly Job[];
  /** Position of the last job; the end of the replay if nothing follows. */
  readonly end: string;
}

/**
 * Reads the next part of a replay in feed order.
 * @param wanted does not filter failed deliveries: they are checked before they are sent.
 */
export async function replayJobs(
  { database, events, webhookId }: ReplaySource,
  { after, to, only }: Replay,
  wanted: WantedEvents & { readonly limit: number },
): Promise<ReplayJobs> {
  const { types, visible, limit } = wanted;
  if (only === 'failed') {
    const failed = await failedBetween(database, webhookId, { after, upTo: to, limit });
    const jobs = failed.map(({ id, event_id: eventId, type }): Job => ({
      reason: 'replay',
      eventId,
      type,
      deliveryId: id,
      tries: 0,
    }));
    return { jobs, end: jobs.length === limit ? (jobs.at(-1)?.eventId ?? to) : to };
  }
  const segment = await events.segment(after, types, visible, limit);
  const found = segment.events.filter(({ id }) => id <= to);
  const known = await deliveriesOf(
    database,
    webhookId,
    found.map(({ id }) => id),
  );
  const jobs = found.map((event): Job => {
    const deliveryId = known.get(event.id)?.id;
    const job: Job = { reason: 'replay', eventId: event.id, type: event.type, event, tries: 0 };
    return deliveryId === undefined ? job : { ...job, deliveryId };
  });
  return { jobs, end: segment.more && segment.end < to ? segment.end : to };
}
