import { formatTime } from '../data/definition/column-codecs.js';
import type { Database } from '../data/database/database.js';

import type { FeedEvent, FeedSource } from './event-feed.js';
import { timeOf } from './event-id.js';
import { type EventFilter, rangesOf, type EventRow } from './event-ranges.js';
import { type FeedEntry, isWithin } from './feed-entries.js';
import { EVENTS } from './feed-table.js';
import type { Visibility } from './visibility.js';

/** @param inCurrentForm Converts an event of another API version to the form of `apiVersion`. */
export function eventSource(
  database: Database,
  kinds: () => readonly string[],
  apiVersion: string,
  inCurrentForm: (event: FeedEvent) => FeedEvent = (event) => event,
): FeedSource<'events', FeedEvent> {
  const present = (row: EventRow): FeedEvent => {
    const event = storedEvent(row);
    return event.api_version === apiVersion ? event : inCurrentForm(event);
  };
  return {
    table: EVENTS,
    ranges: (filter, visible) => rangesOf(database, kinds(), filter, visible),
    concerns,
    present,
    toJson: (row: EventRow) => (row.api_version === apiVersion ? storedJson(row) : JSON.stringify(present(row))),
  };
}

function concerns(
  { types, objectId, range }: EventFilter,
  { all, own, userId }: Visibility,
): (entry: FeedEntry) => boolean {
  return ({ id, type, object_id: object, owner_id: owner }) =>
    isWithin(id, range) &&
    (types?.includes(type) ?? true) &&
    (objectId === undefined || objectId === object) &&
    (all.includes(type) || (own.includes(type) && userId !== null && owner === userId));
}

function storedEvent({ id, type, api_version: version, data }: EventRow): FeedEvent {
  return {
    id,
    type,
    timestamp: formatTime(timeOf(id)),
    api_version: version,
    data: JSON.parse(data) as FeedEvent['data'],
  };
}

/** Does not parse the stored `data`, because it may have 130 kB. */
function storedJson({ id, type, api_version: version, data }: EventRow): string {
  const members = { id, type, timestamp: formatTime(timeOf(id)), api_version: version };
  return `${JSON.stringify(members).slice(0, -1)},"data":${data}}`;
}
