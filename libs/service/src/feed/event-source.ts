import { formatTime } from '../data/definition/field-kinds.js';
import type { Database } from '../data/database/database.js';

import type { FeedEvent, FeedSource } from './event-feed.js';
import { timeOf } from './event-id.js';
import { rangesOf, type EventRow } from './event-ranges.js';
import { EVENTS } from './feed-table.js';

/**
 * The events of a service as a feed.
 * @param kinds all that there are.
 * @param inCurrentForm turns an event that was kept in the form of another version than `apiVersion` into its form.
 */
export function eventSource(
  database: Database,
  kinds: () => readonly string[],
  apiVersion: string,
  inCurrentForm: (event: FeedEvent) => FeedEvent = (event) => event,
): FeedSource<'events', FeedEvent> {
  const present = (row: EventRow): FeedEvent => {
    const event = kept(row);
    return event.api_version === apiVersion ? event : inCurrentForm(event);
  };
  return {
    table: EVENTS,
    ranges: (filter, visible) => rangesOf(database, kinds(), filter, visible),
    present,
    toJson: (row: EventRow) => (row.api_version === apiVersion ? keptJson(row) : JSON.stringify(present(row))),
  };
}

function kept({ id, type, api_version: version, data }: EventRow): FeedEvent {
  return {
    id,
    type,
    timestamp: formatTime(timeOf(id)),
    api_version: version,
    data: JSON.parse(data) as FeedEvent['data'],
  };
}

/** What JSON.stringify makes of {@link kept}, without parsing the data: that of an order with long lines is 130 kB. */
function keptJson({ id, type, api_version: version, data }: EventRow): string {
  const members = { id, type, timestamp: formatTime(timeOf(id)), api_version: version };
  return `${JSON.stringify(members).slice(0, -1)},"data":${data}}`;
}
