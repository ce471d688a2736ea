import type { Parameters } from '@items/collections/parts';
import type { Database } from '@items/store';

import { placeOf } from './event-id.js';
import { keyColumn, keyOf } from './event-key.js';
import type { FeedTable } from './feed-table.js';
import type { Visibility } from './visibility.js';

/** An event as the database has it. */
export interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly object_id: string;
  readonly api_version: string;
  /** JSON of `{object, previous}`. */
  readonly data: string;
}

/** Milliseconds since the epoch, both included. */
export interface TimeRange {
  readonly min?: number;
  readonly max?: number;
}

/** Which events are asked for. */
export interface EventFilter {
  /** Kinds; all where it is left out. */
  readonly types?: readonly string[];
  readonly objectId?: string;
  /** When it happened. */
  readonly range?: TimeRange;
  /** Of a user, a credential or a client, for the audit. */
  readonly actorId?: string;
  /** One event. */
  readonly id?: string;
}

/** A stretch of the feed: behind `after`, up to `upTo` or before `before`, at most `limit` events of it. */
export interface Stretch {
  readonly after: string;
  readonly upTo: string;
  readonly before?: string;
  readonly descending: boolean;
  readonly limit: number;
}

/** A stretch as far as it lies within the times that are asked for. */
export function within(stretch: Stretch, { min = 0, max = Infinity }: TimeRange = {}): Stretch {
  const { after, upTo } = stretch;
  const begin = min > 0 ? placeOf(min * 1000 - 1) : after;
  const end = max < Infinity ? placeOf(Math.max(max * 1000 + 999, 0)) : upTo;
  return { ...stretch, after: begin > after ? begin : after, upTo: end < upTo ? end : upTo };
}

export type Range = (params: Parameters) => string;

/** The statement that reads a stretch, as one reader may see it; undefined where they see nothing. */
export function stretchSql(
  { dialect }: Database,
  table: FeedTable,
  { after, upTo, before, descending, limit }: Stretch,
  ranges: readonly Range[],
  params: Parameters,
): string | undefined {
  if (ranges.length === 0) return undefined;
  const key = keyColumn(dialect);
  const add = (id: string): string => params.add(keyOf(dialect, id));
  const end = before === undefined ? `<= ${add(upTo)}` : `< ${add(before)}`;
  const bounds = `${key} > ${add(after)} AND ${key} ${end}`;
  const order = `ORDER BY ${key}${descending ? ' DESC' : ''} LIMIT ${String(limit)}`;
  const columns = key === 'id' ? table.columns : `${key}, ${table.columns}`;
  const selects = ranges.map(
    (range) => `SELECT ${columns} FROM ${table.name} WHERE ${range(params)} AND ${bounds} ${order}`,
  );
  if (selects.length === 1) return selects[0];
  // SQLite takes no brackets around a part of a UNION.
  const parts = selects.map((sql) => (dialect === 'sqlite' ? `SELECT * FROM (${sql})` : `(${sql})`));
  return `SELECT * FROM (${parts.join(' UNION ALL ')}) parts ${order}`;
}

/**
 * The parts of the feed that a reader asks for and may see, each of which an index has in order: one event, one resource,
 * one's own, each kind, or all.
 * @param kinds all that there are.
 */
export function rangesOf(
  { dialect }: Database,
  kinds: readonly string[],
  { types, objectId, id }: EventFilter,
  visible: Visibility,
): readonly Range[] {
  const asked = (kind: string): boolean => types?.includes(kind) ?? true;
  const all = visible.all.filter(asked);
  const { userId } = visible;
  const own = visible.own.filter((kind) => userId !== null && asked(kind) && !all.includes(kind));
  const ofAll: Range = (params) => siftedBy(all, params);
  const ofOwn: Range = (params) => `owner_id = ${params.add(userId)} AND ${siftedBy(own, params)}`;
  const isEverything = kinds.every((kind) => all.includes(kind));
  const isOne = id !== undefined || objectId !== undefined;
  const only: Range = (params) =>
    id === undefined
      ? `object_id = ${params.add(objectId ?? '')}`
      : `${keyColumn(dialect)} = ${params.add(keyOf(dialect, id))} AND id = ${params.add(id)}`;
  return [
    ...(all.length === 0 ? [] : isEverything || isOne ? [ofAll] : all.map((kind) => equal('type', kind))),
    ...(own.length === 0 ? [] : [ofOwn]),
  ].map((range) => (isOne ? (params) => `${only(params)} AND ${range(params)}` : range));
}

function equal(column: string, value: string): Range {
  return (params) => `${column} = ${params.add(value)}`;
}

/** In a form that no index is chosen for. */
function siftedBy(kinds: readonly string[], params: Parameters): string {
  return `(type IN (${kinds.map((kind) => params.add(kind)).join(', ')})) IS TRUE`;
}
