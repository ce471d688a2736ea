import { formatTime } from '../../data/definition/column-codecs.js';
import type { Database } from '../../data/database/database.js';
import { isRowId } from '../../data/schema/row-id.js';
import type { Origin } from '../../data/database/origin.js';
import type { FeedSource } from '../event-feed.js';
import { timeOf } from '../event-id.js';
import { allOf, anyOf, type Condition, equal, hasId, type EventFilter, type FeedRange } from '../event-ranges.js';
import { type FeedEntry, isWithin } from '../feed-entries.js';
import { AUDIT_EVENTS } from '../feed-table.js';

export interface AuditEvent {
  /** UUIDv7 in the order of the feed, equal to the id of the event of the same change. */
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly actor: {
    readonly type: Origin['actorType'];
    readonly user_id: string | null;
    readonly credential_id: string | null;
    readonly client_id: string | null;
  };
  readonly address: string | null;
  readonly request_id: string | null;
  readonly object: { readonly type: string; readonly id: string };
  /** Sorted names of the changed fields, and never their values. */
  readonly changed: readonly string[];
}

interface AuditRow {
  readonly id: string;
  readonly type: string;
  readonly object_id: string;
  readonly actor_type: Origin['actorType'];
  readonly user_id: string | null;
  readonly credential_id: string | null;
  readonly client_id: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly changed: string;
}

/** Selects the entries of sessions. Sessions are stored without a client. */
const BY_SESSION: Condition = () =>
  "(actor_type = 'user' AND credential_id NOT LIKE 'strategy:%' AND client_id IS NULL) IS TRUE";

const ACTOR_COLUMNS = ['user_id', 'credential_id', 'client_id'];

export function auditSource(
  database: Database,
  kinds: () => readonly string[],
): FeedSource<'audit_events', AuditEvent> {
  return {
    table: AUDIT_EVENTS,
    ranges: (filter) => rangesOf(database, kinds(), filter),
    concerns,
    present: shown,
    toJson: (row: AuditRow) => JSON.stringify(shown(row)),
  };
}

function concerns({ types, objectId, actorId, range }: EventFilter): (entry: FeedEntry) => boolean {
  return (entry) =>
    isWithin(entry.id, range) &&
    (types?.includes(entry.type) ?? true) &&
    (objectId === undefined || objectId === entry.object_id) &&
    (actorId === undefined || actorsOf(entry).includes(actorId));
}

function actorsOf(entry: FeedEntry): readonly (string | null | undefined)[] {
  return [entry.user_id, entry.credential_id, isSession(entry) ? SESSION_CLIENT : entry.client_id];
}

function shown(row: AuditRow): AuditEvent {
  const { id, type, actor_type: actor, user_id, credential_id, client_id, address, request_id } = row;
  return {
    id,
    type,
    timestamp: formatTime(timeOf(id)),
    actor: { type: actor, user_id, credential_id, client_id: isSession(row) ? SESSION_CLIENT : client_id },
    address,
    request_id,
    object: { type: type.slice(0, type.indexOf('.')), id: row.object_id },
    changed: JSON.parse(row.changed) as string[],
  };
}

function rangesOf({ dialect }: Database, kinds: readonly string[], filter: EventFilter): readonly FeedRange[] {
  const { types, objectId, actorId, id } = filter;
  if (id !== undefined) return [{ indexedCondition: hasId(dialect, id) }];
  const ofTypes = types?.map((type) => equal(dialect, 'type', type));
  // Users, keys and clients have UUIDs. Any other id, such as the admin key's, is the id of a credential.
  const columns = actorId !== undefined && isRowId(actorId) ? ACTOR_COLUMNS : ['credential_id'];
  const ofId = actorId === undefined ? undefined : columns.map((column) => equal(dialect, column, actorId));
  const ofActor = actorId === SESSION_CLIENT ? [BY_SESSION] : ofId;
  if (objectId !== undefined) {
    const sifts = [ofActor, ofTypes].flatMap((conditions = []) => anyOf(conditions) ?? []);
    return [
      {
        indexedCondition: equal(dialect, 'object_id', objectId),
        ...(sifts.length > 0 && { unindexedCondition: allOf(sifts) }),
      },
    ];
  }
  if (ofActor !== undefined) {
    const ofKinds = ofTypes ?? kinds.map((kind) => equal(dialect, 'type', kind));
    if (actorId === SESSION_CLIENT)
      return ofKinds.map((kind) => ({ indexedCondition: kind, unindexedCondition: BY_SESSION }));
    return ofActor.flatMap((actor) => ofKinds.map((kind) => ({ indexedCondition: allOf([actor, kind]) })));
  }
  return (
    ofTypes?.map((type) => ({ indexedCondition: type })) ?? [{ indexedCondition: () => "(type <> 'gap') IS TRUE" }]
  );
}

/** Id of the built-in client for logins of users. */
export const SESSION_CLIENT = 'first-party';

const OWN_STRATEGY = 'strategy:';

/** A user's credential without a client is a session or names a strategy of the app. */
export function isSession({ actor_type: type, credential_id: credential, client_id: client }: FeedEntry): boolean {
  if (type !== 'user' || typeof credential !== 'string' || client !== null) return false;
  return !credential.startsWith(OWN_STRATEGY);
}
