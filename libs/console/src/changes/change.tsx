import type { AuditEvent, Event } from '@items/client';
import type { JSX } from 'preact';

import { useConsole } from '../console.js';
import { FieldName } from '../parts/field-name.js';
import { useStore } from '../parts/store.js';
import { Time } from '../parts/value.js';
import { Link } from '../router/link.js';
import { memberPath } from '../router/routes.js';
import { capitalised, labelOf, shortId } from '../service/labels.js';
import { plainText, type Row } from '../service/row.js';

interface Props {
  readonly record: AuditEvent;
  readonly event: Event | undefined;
  readonly isOfMember: boolean;
}

/** One change: who, what, when, and the old and new values of its fields. */
export function Change({ record, event, isOfMember }: Props): JSX.Element {
  const { type, timestamp, changed, actor } = record;
  const verb = type.slice(type.lastIndexOf('.') + 1).replaceAll('_', ' ');
  return (
    <li>
      <p>
        <Actor actor={actor} /> <span class={`verb ${verb}`}>{verb}</span>{' '}
        {!isOfMember && <Subject record={record} event={event} />}
      </p>
      {changed.length > 0 && (
        <ul>
          {changed.map((field) => (
            <li key={field}>
              <FieldName name={field} />
              <Values event={event} field={field} />
            </li>
          ))}
        </ul>
      )}
      <Time time={timestamp} />
    </li>
  );
}

function Actor({ actor }: { readonly actor: AuditEvent['actor'] }): JSX.Element {
  const { model, labels, me } = useConsole();
  useStore(labels.changed);
  if (actor.user_id === me.id) return <strong>You</strong>;
  if (actor.user_id !== null) {
    const users = model.collections.find(({ path }) => path === '/users');
    const name = users && labels.find(users, actor.user_id);
    return (
      <strong>
        <Link to={`/users/${actor.user_id}`}>{name ?? `user ${shortId(actor.user_id)}`}</Link>
      </strong>
    );
  }
  if (actor.type === 'system') return <strong>The service</strong>;
  if (actor.credential_id === 'admin') return <strong>The admin key</strong>;
  const id = actor.credential_id ?? actor.client_id ?? '';
  return (
    <strong>
      {actor.type.replaceAll('_', ' ')} {shortId(id)}
    </strong>
  );
}

/** The member that was changed, with a link if it may still exist. */
function Subject({ record: { object, type }, event }: Pick<Props, 'record' | 'event'>): JSX.Element {
  const { model, labels } = useConsole();
  useStore(labels.changed);
  const collection = model.collections.find(({ singular }) => singular === object.type);
  const row = { ...(event?.data.object as unknown as Row | undefined), id: object.id };
  const known = collection && labels.find(collection, object.id);
  const label = known ?? (event && collection ? labelOf(collection, row) : shortId(object.id));
  const to = collection && memberPath(model, collection, collection.path, row);
  // A label that begins with the noun needs no second one.
  const noun = collection?.noun ?? object.type.replaceAll('_', ' ');
  return (
    <>
      {label.startsWith(capitalised(noun)) ? '' : `${noun} `}
      {to === undefined || type.endsWith('.deleted') ? <em>{label}</em> : <Link to={to}>{label}</Link>}
    </>
  );
}

/** Longest text that is shown of a value. */
const VALUE_CHARACTERS = 80;

/** The old and the new value, if the event still exists and tells them. */
function Values({ event, field }: { readonly event: Event | undefined; readonly field: string }): JSX.Element | null {
  const { object, previous } = (event?.data ?? {}) as { readonly object?: Row; readonly previous?: Row };
  if (object === undefined || previous === undefined || !(field in previous)) return null;
  return (
    <>
      {': '}
      <del>{textOf(previous[field])}</del> <span aria-hidden="true">→</span> <ins>{textOf(object[field])}</ins>
    </>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  const text = typeof value === 'object' ? JSON.stringify(value) : plainText(value);
  return text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS)} …` : text;
}
