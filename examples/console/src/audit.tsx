import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ItemsApiError, type AuditEvent, type Event, type ItemsClient } from '@items/client';
import { infiniteQueryOptions, keysOf } from '@items/client/react-query';

import { useConsole } from './context';
import { EndlessList } from './endless-list';
import { ItemEditor } from './item-editor';
import { linesText, timeText } from './orders';

/** A change, with its event where it made one that is still kept. */
type Change = AuditEvent & { readonly event: Event | undefined };

/** Who changed what, newest first. For administrators. */
export function AuditView() {
  const { client, me } = useConsole();
  const [opened, setOpened] = useState<string | undefined>();
  const audit = infiniteQueryOptions(
    'audit-events',
    { page: client.auditEvents.list },
    { sort: '-timestamp' as const },
  );
  // One request for many names; further users are shown by their ids.
  const users = useQuery({
    queryKey: keysOf('users').list({ limit: 100 }),
    queryFn: ({ signal }) => client.users.page({ limit: 100 }, { signal }),
    retry: false,
  });
  const nameOf = (id: string) =>
    id === me?.id ? 'you' : (users.data?.users.find((user) => user.id === id)?.username ?? `user ${id}`);
  return (
    <>
      <EndlessList
        label="Changes"
        options={{
          ...audit,
          queryFn: async (context) => {
            const page = await audit.queryFn(context);
            return { ...page, changes: await withEvents(client, page.audit_events, context.signal) };
          },
        }}
        rowsOf={(page) => page.changes}
      >
        {(change) => (
          <>
            <span className="what">
              <strong>{change.type.replace(/[._]/g, ' ')}</strong> <Thing change={change} nameOf={nameOf} />
              {change.changed.map((field) => (
                <span key={field} className="line">
                  {field}
                  {valuesOf(change, field)}
                </span>
              ))}
              <span className="line">
                <time dateTime={change.timestamp}>{timeText(change.timestamp)}</time>, by {actorOf(change, nameOf)}
              </span>
            </span>
            {change.object.type === 'item' && change.type !== 'item.deleted' && (
              <span className="actions">
                <button onClick={() => setOpened(change.object.id)}>
                  Open<span className="hidden"> the item</span>
                </button>
              </span>
            )}
          </>
        )}
      </EndlessList>
      {opened !== undefined && <ItemEditor id={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** An audit event has the id of its event: a page of one feed is filled by a page of the other. */
async function withEvents(
  client: ItemsClient,
  audited: readonly AuditEvent[],
  signal: AbortSignal,
): Promise<readonly Change[]> {
  const range = { timestamp_min: audited.at(-1)?.timestamp, timestamp_max: audited[0]?.timestamp };
  const query = { sort: '-timestamp', limit: 100, ...range } as const;
  const { events } = await client.events.list(query, { signal }).catch((error: unknown) => {
    // A service may keep no events; the changes are of use without them.
    if (error instanceof ItemsApiError) return { events: [] };
    throw error;
  });
  const byId = new Map(events.map((event) => [event.id, event]));
  return audited.map((change) => ({ ...change, event: byId.get(change.id) }));
}

interface ThingProps {
  readonly change: Change;
  readonly nameOf: (userId: string) => string;
}

/** What was changed: by its name where the event has one, or else by its id. */
function Thing({ change: { object, type, event }, nameOf }: ThingProps) {
  const data = event?.data.object;
  if (object.type === 'user') return nameOf(object.id);
  if (data !== undefined && 'name' in data) return data.name;
  if (data !== undefined && 'lines' in data) return linesText(data);
  if (object.type === 'webhook' && type !== 'webhook.deleted') return <a href="#webhooks">{object.id}</a>;
  return <small>{object.id}</small>;
}

/** The longest text that is shown of a value. */
const VALUE_CHARACTERS = 80;

function valuesOf({ event }: Change, field: string): string {
  if (event === undefined || !('previous' in event.data) || !(field in event.data.previous)) return '';
  const [before, after] = [event.data.previous, event.data.object].map((values) => {
    const value = (values as Readonly<Record<string, unknown>>)[field] ?? '–';
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS)} …` : text;
  });
  return `: ${before} → ${after}`;
}

function actorOf({ actor }: AuditEvent, nameOf: ThingProps['nameOf']): string {
  if (actor.user_id !== null) return nameOf(actor.user_id);
  if (actor.type === 'system') return 'the service';
  if (actor.credential_id === 'admin') return 'the key of the environment (ADMIN_API_KEY)';
  return `${actor.type.replace('_', ' ')} ${actor.credential_id ?? actor.client_id ?? ''}`;
}
