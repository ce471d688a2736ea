import type { AuditEvent, Event } from '@items/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { useConsole } from '../console.js';
import { More, Skeleton } from '../lists/list-rows.js';
import type { Walk } from '../lists/walk.js';
import { Failure } from '../parts/failure.js';
import { useStore } from '../parts/store.js';
import { Change } from './change.js';

interface Props {
  readonly walk: Walk;
  /** The view of one member shows them without its name. */
  readonly isOfMember?: boolean;
}

/** Who changed what, newest first. */
export function Changes({ walk, isOfMember = false }: Props): JSX.Element {
  const { rows, isLoading, isDone, error } = useStore(walk.state);
  const records = rows as unknown as readonly AuditEvent[];
  const events = useEvents(records, isOfMember ? records[0]?.object.id : undefined);
  return (
    <>
      <ol class="changes">
        {records.map((record) => (
          <Change key={record.id} record={record} event={events.get(record.id)} isOfMember={isOfMember} />
        ))}
      </ol>
      {isLoading && <Skeleton rows={rows.length === 0 ? 5 : 1} />}
      {isDone && rows.length === 0 && <p class="empty">There are no changes yet.</p>}
      {error !== undefined && <Failure error={error} onRetry={() => void walk.load()} />}
      <More walk={walk} />
    </>
  );
}

/** The events of records, by their common id. They are read by the time of the records, a page for a page. */
function useEvents(records: readonly AuditEvent[], objectId: string | undefined): ReadonlyMap<string, Event> {
  const { client } = useConsole();
  const [events, setEvents] = useState<ReadonlyMap<string, Event>>(new Map());
  const isKnown = (record: AuditEvent): boolean => events.has(record.id);
  const missing = records.slice(records.findLastIndex(isKnown) + 1);
  const newest = missing[0]?.timestamp;
  const oldest = missing.at(-1)?.timestamp;
  useEffect(() => {
    if (newest === undefined || oldest === undefined) return;
    const range = { timestamp_min: oldest, timestamp_max: newest };
    const query = { sort: '-timestamp', limit: 100, ...range, object_id: objectId } as const;
    client.events.list(query).then(
      (page) => setEvents((before) => new Map([...before, ...page.events.map((event) => [event.id, event] as const)])),
      // The records say enough without values.
      () => undefined,
    );
  }, [newest, oldest, objectId, client]);
  return events;
}
