import type { AuditEvent, Event } from '@items/client';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { session } from '../session.js';
import { List } from '../lists/list.js';
import { ListEnd } from '../lists/list-rows.js';
import { FieldName, Link } from '../parts/elements.js';
import { Time } from '../parts/value.js';
import { memberPath } from '../router/routes.js';
import { capitalised, labelOf, shortId } from '../service/labels.js';
import { plainText, type Row } from '../service/rows.js';

/** Audit records, newest first. @param isOfMember All records are of one member, so its name is omitted. */
export function Changes({ list, isOfMember = false }: { list: List; isOfMember?: boolean }) {
  const records = list.state.value.rows as unknown as readonly AuditEvent[];
  const events = useEvents(records, isOfMember ? records[0]?.object.id : undefined);
  return (
    <>
      <ol class="changes">
        {records.map((record) => (
          <Change key={record.id} record={record} event={events.get(record.id)} isOfMember={isOfMember} />
        ))}
      </ol>
      <ListEnd list={list} />
    </>
  );
}

export function MemberChanges({ id }: { readonly id: string }) {
  const { client, model, may } = session;
  const audit = model.collections.find(({ singular, list }) => singular === 'audit_event' && may(list, ''));
  const list = useMemo(() => audit && new List(client, audit, audit.path, { object_id: id }, 10), [client, audit, id]);
  useEffect(() => void list?.load(), [list]);
  return (
    list && (
      <aside class="card aside" aria-label="Changes">
        <h2>Changes</h2>
        <Changes list={list} isOfMember />
      </aside>
    )
  );
}

/** Loads the events of audit records (same ids): for each page of records, the events of its time range. */
function useEvents(records: readonly AuditEvent[], objectId: string | undefined): ReadonlyMap<string, Event> {
  const [events, setEvents] = useState<ReadonlyMap<string, Event>>(new Map());
  const missing = records.slice(records.findLastIndex(({ id }) => events.has(id)) + 1);
  const [newest, oldest] = [missing[0]?.timestamp, missing.at(-1)?.timestamp];
  useEffect(() => {
    if (newest === undefined || oldest === undefined) return;
    const range = { timestamp_min: oldest, timestamp_max: newest };
    const query = { sort: '-timestamp', limit: 100, ...range, object_id: objectId } as const;
    session.client.events.list(query).then(
      (page) => setEvents((before) => new Map([...before, ...page.events.map((event) => [event.id, event] as const)])),
      // If this fails, the changes are shown without values.
      () => undefined,
    );
  }, [newest, oldest, objectId]);
  return events;
}

interface Props {
  readonly record: AuditEvent;
  /** Undefined if the event has expired, or the user may not read it. */
  readonly event: Event | undefined;
  readonly isOfMember: boolean;
}

function Change({ record, event, isOfMember }: Props) {
  const { type, timestamp, changed, actor } = record;
  const verb = type.slice(type.lastIndexOf('.') + 1).replaceAll('_', ' ');
  const { object = {}, previous = {} } = (event?.data ?? {}) as { readonly object?: Row; readonly previous?: Row };
  return (
    <li>
      <p>
        <Actor actor={actor} /> <span class={`verb ${verb}`}>{verb}</span>{' '}
        {!isOfMember && <Subject record={record} row={{ ...object, id: record.object.id }} />}
      </p>
      <ul>
        {changed.map((field) => (
          <li key={field}>
            <FieldName name={field} />
            {field in previous && (
              <>
                : <del>{textOf(previous[field])}</del> <span aria-hidden="true">→</span>{' '}
                <ins>{textOf(object[field])}</ins>
              </>
            )}
          </li>
        ))}
      </ul>
      <Time time={timestamp} />
    </li>
  );
}

function Actor({ actor }: { readonly actor: AuditEvent['actor'] }) {
  const { model, labels, me } = session;
  const { type, user_id: user, credential_id: credential, client_id: client } = actor;
  if (user === me.id) return <strong>You</strong>;
  if (user !== null) {
    const users = model.collections.find(({ path }) => path === '/users');
    const name = (users && labels.find(users, user)) ?? `user ${shortId(user)}`;
    return <strong children={<Link to={`/users/${user}`}>{name}</Link>} />;
  }
  if (type === 'system') return <strong>The service</strong>;
  const id = shortId(credential ?? client ?? '');
  return <strong>{credential === 'admin' ? 'The admin key' : `${type.replaceAll('_', ' ')} ${id}`}</strong>;
}

/** Renders the changed member, with a link if it may still exist. @param row Its known fields. */
function Subject({ record: { object, type }, row }: Pick<Props, 'record'> & { readonly row: Row }) {
  const { model, labels } = session;
  const collection = model.collections.find(({ singular }) => singular === object.type);
  const noun = collection?.noun ?? object.type.replaceAll('_', ' ');
  const known = collection && labels.find(collection, object.id);
  const label = known ?? (collection ? labelOf(collection, row) : shortId(object.id));
  const to = collection && memberPath(model, collection, collection.path, row);
  return (
    <>
      {/* Omits the noun if the label begins with it. */}
      {label.startsWith(capitalised(noun)) ? '' : `${noun} `}
      {to === undefined || type.endsWith('.deleted') ? <em>{label}</em> : <Link to={to}>{label}</Link>}
    </>
  );
}

const VALUE_CHARACTERS = 80;

function textOf(value: unknown): string {
  const text = (typeof value === 'object' && value !== null ? JSON.stringify(value) : plainText(value)) || '–';
  return text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS)} …` : text;
}
