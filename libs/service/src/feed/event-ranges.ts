import { filterWhere } from '../data/lists/filter-conditions.js';
import type { Parameters } from '../data/lists/page-statement.js';
import type { Database } from '../data/database/database.js';

import { isRowOf } from './event-key.js';
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

/** Which events are requested. */
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

export type Condition = (params: Parameters) => string;

/** A part of a feed, in the feed's order. */
export interface Range {
  /** An index has these rows in order; undefined for all rows of the table. */
  readonly within?: Condition;
  /** Which of these rows are meant: none of them is found without being looked at. */
  readonly sift?: Condition;
}

/**
 * The parts of the feed that a reader requests and may see: one event, one resource, one's own, each kind, or all.
 * @param kinds all that there are.
 */
export function rangesOf(
  { dialect }: Database,
  kinds: readonly string[],
  { types, objectId, id }: EventFilter,
  visible: Visibility,
): readonly Range[] {
  const isRequested = (kind: string): boolean => types?.includes(kind) ?? true;
  const all = visible.all.filter(isRequested);
  const { userId } = visible;
  const own = visible.own.filter((kind) => userId !== null && isRequested(kind) && !all.includes(kind));
  const ofAll: Condition = (params) => `type IN (${list(all, params)})`;
  const ofOwn: Condition = (params) => `type IN (${list(own, params)})`;
  const isOwn = equal(dialect, 'owner_id', userId ?? '');
  const isVisible = anyOf([...(all.length === 0 ? [] : [ofAll]), ...(own.length === 0 ? [] : [allOf([isOwn, ofOwn])])]);
  if (isVisible === undefined) return [];
  if (id !== undefined) return [{ within: allOf([hasId(dialect, id), isVisible]) }];
  if (objectId !== undefined) return [{ within: equal(dialect, 'object_id', objectId), sift: isVisible }];
  if (kinds.every((kind) => all.includes(kind))) return [{ sift: ofAll }];
  return [
    ...all.map((kind) => ({ within: equal(dialect, 'type', kind) })),
    ...(own.length === 0 ? [] : [{ within: isOwn, sift: ofOwn }]),
  ];
}

/** A condition that PostgreSQL looks up in an index, also where it takes the value for a common one. */
export function equal(dialect: Database['dialect'], column: string, value: string): Condition {
  return (params) => filterWhere(dialect, { [column]: [value] }, params);
}

/** The row of an id. */
export function hasId(dialect: Database['dialect'], id: string): Condition {
  return (params) => isRowOf(dialect, id, params);
}

export function allOf(conditions: readonly Condition[]): Condition {
  return (params) => conditions.map((condition) => `(${condition(params)})`).join(' AND ');
}

/** @returns undefined where there is no condition. */
export function anyOf(conditions: readonly Condition[]): Condition | undefined {
  if (conditions.length === 0) return undefined;
  return (params) => conditions.map((condition) => `(${condition(params)})`).join(' OR ');
}

function list(values: readonly string[], params: Parameters): string {
  return values.map((value) => params.add(value)).join(', ');
}
