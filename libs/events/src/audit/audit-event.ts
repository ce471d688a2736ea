import { formatTime } from '@items/collections';
import type { Parameters } from '@items/collections/parts';
import { type Database, isRowId, type Origin } from '@items/store';

import type { FeedSource } from '../event-feed.js';
import { timeOf } from '../event-id.js';
import { keyColumn, keyOf } from '../event-key.js';
import type { EventFilter, Range } from '../event-ranges.js';
import { AUDIT_EVENTS } from '../feed-table.js';

/** Who made which change, as readers see it. */
export interface AuditEvent {
  /** UUIDv7; its order is that of the feed. That of the event, where the change made one. */
  readonly id: string;
  readonly type: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Ids are null where there is none. */
  readonly actor: {
    readonly type: Origin['actorType'];
    readonly user_id: string | null;
    readonly credential_id: string | null;
    readonly client_id: string | null;
  };
  /** Of the network. */
  readonly address: string | null;
  readonly request_id: string | null;
  readonly object: { readonly type: string; readonly id: string };
  /** Names of the fields whose value differs, sorted; never values. */
  readonly changed: readonly string[];
}

/** The same as the database has it. */
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
  /** JSON. */
  readonly changed: string;
}

/** The columns that an actor may stand in. */
const ACTOR_COLUMNS = ['user_id', 'credential_id', 'client_id'];

/**
 * The audit as a feed. Who may read it sees all of it.
 * @param kinds all types that there are.
 */
export function auditSource(
  database: Database,
  kinds: () => readonly string[],
): FeedSource<'audit_events', AuditEvent> {
  return { table: AUDIT_EVENTS, ranges: (filter) => rangesOf(database, kinds(), filter), present: shown };
}

function shown(row: AuditRow): AuditEvent {
  const { id, type, actor_type: actor, user_id, credential_id, client_id, address, request_id } = row;
  return {
    id,
    type,
    timestamp: formatTime(timeOf(id)),
    actor: { type: actor, user_id, credential_id, client_id },
    address,
    request_id,
    object: { type: type.slice(0, type.indexOf('.')), id: row.object_id },
    changed: JSON.parse(row.changed) as string[],
  };
}

/** The parts of the audit that are asked for, each of which an index has in order: one record, one resource, one actor. */
function rangesOf({ dialect }: Database, kinds: readonly string[], filter: EventFilter): readonly Range[] {
  const { types, objectId, actorId, id } = filter;
  // A user's id, a key's or a client's has the form of one; the admin key's is a word.
  const actors = actorId !== undefined && isRowId(actorId) ? ACTOR_COLUMNS : ['credential_id'];
  if (id !== undefined) {
    return [(params) => `${keyColumn(dialect)} = ${params.add(keyOf(dialect, id))} AND ${equal('id', id, params)}`];
  }
  if (objectId !== undefined) {
    const actor = (params: Parameters): string =>
      actorId === undefined ? '' : sifted(actors.map((column) => equal(column, actorId, params)));
    const type = (params: Parameters): string =>
      types === undefined ? '' : sifted(types.map((kind) => equal('type', kind, params)));
    return [(params) => `${equal('object_id', objectId, params)}${actor(params)}${type(params)}`];
  }
  const asked = types ?? kinds;
  if (actorId !== undefined) {
    return actors.flatMap((column) =>
      asked.map(
        (kind): Range =>
          (params) =>
            `${equal(column, actorId, params)} AND ${equal('type', kind, params)}`,
      ),
    );
  }
  if (types !== undefined) return types.map((kind) => (params) => equal('type', kind, params));
  return [() => "(type <> 'gap') IS TRUE"];
}

function equal(column: string, value: string, params: Parameters): string {
  return `${column} = ${params.add(value)}`;
}

/** Any of these, in a form that no index is chosen for. */
function sifted(conditions: readonly string[]): string {
  return ` AND (${conditions.join(' OR ')}) IS TRUE`;
}
