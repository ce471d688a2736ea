import { ResourceNotFoundError } from '@items/conventions';
import type { FeedEvent } from '../../feed/event-feed.js';
import { timeOf } from '../../feed/event-id.js';
import { PING } from '../deliveries/delivery-rows.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import type { Job } from './job.js';
import { formatTime } from '../../data/definition/column-codecs.js';

/** @returns `unsendable`: it must not be sent any more; `later`: it cannot be read now. */
export async function eventOf(
  { events }: Pick<Dispatch, 'events'>,
  webhookId: string,
  job: Job,
  { types, visible, apiVersion }: RunnerConfig,
): Promise<FeedEvent | 'unsendable' | 'later'> {
  if (job.reason !== 'requested' && types?.includes(job.type) === false) return 'unsendable';
  if (job.event !== undefined) return job.event;
  if (job.type === PING) return pingOf(job.eventId, webhookId, apiVersion);
  if (visible === undefined) return 'later';
  try {
    return await events.get(job.eventId, visible);
  } catch (error) {
    return error instanceof ResourceNotFoundError ? 'unsendable' : 'later';
  }
}

/** Returns the same event on each call: it is not in the feed. @param id of the ping: a UUIDv7. */
function pingOf(id: string, webhookId: string, apiVersion: string): FeedEvent {
  return {
    id,
    type: PING,
    timestamp: formatTime(timeOf(id)),
    api_version: apiVersion,
    data: { object: { id: webhookId } },
  };
}
