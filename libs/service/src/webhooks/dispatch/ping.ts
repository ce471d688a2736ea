import { formatTime } from '../../data/definition/column-codecs.js';
import type { FeedEvent } from '../../feed/event-feed.js';

import { PING } from '../deliveries/delivery-rows.js';

/** Returns the same event on each call: it is not in the feed. @param id of the ping: a UUIDv7. */
export function pingOf(id: string, webhookId: string, apiVersion: string): FeedEvent {
  const madeAt = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return {
    id,
    type: PING,
    timestamp: formatTime(madeAt),
    api_version: apiVersion,
    data: { object: { id: webhookId } },
  };
}
