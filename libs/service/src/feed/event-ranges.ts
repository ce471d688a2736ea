import { filterWhere } from '../data/lists/filter-conditions.js';
import type { Parameters } from '../data/lists/page-statement.js';
import type { Database } from '../data/database/database.js';

import { isRowOf } from './event-key.js';
import type { Visibility } from './visibility.js';

export interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly object_id: string;
  readonly api_version: string;
  /** The JSON text of `{object, previous}`. */
  readonly data: string;
}

/** Inclusive, in milliseconds since the epoch. */
export interface TimeRange {
  readonly min?: number;
  readonly max?: number;
}

export interface EventFilter {
  readonly types?: readonly string[];
  readonly objectId?: string;
  readonly range?: TimeRange;
  /** Id of a user, credential or client. Only for the audit. */
  readonly actorId?: string;
  readonly id?: string;
}

export type Condition = (params: Parameters) => string;

export interface FeedRange {
  /** Condition that an index serves in feed order. Undefined selects all rows. */
  readonly indexedCondition?: Condition;
  /** Further condition that no index serves. */
  readonly unindexedCondition?: Condition;
}

export function rangesOf(
  { dialect }: Database,
  kinds: readonly string[],
  { types, objectId, id }: EventFilter,
  visible: Visibility,
): readonly FeedRange[] {
  const isRequested = (kind: string): boolean => types?.includes(kind) ?? true;
  const all = visible.all.filter(isRequested);
  const { userId } = visible;
  const own = visible.own.filter((kind) => userId !== null && isRequested(kind) && !all.includes(kind));
  const ofAll: Condition = (params) => `type IN (${list(all, params)})`;
  const ofOwn: Condition = (params) => `type IN (${list(own, params)})`;
  const isOwn = equal(dialect, 'owner_id', userId ?? '');
  const isVisible = anyOf([...(all.length === 0 ? [] : [ofAll]), ...(own.length === 0 ? [] : [allOf([isOwn, ofOwn])])]);
  if (isVisible === undefined) return [];
  if (id !== undefined) return [{ indexedCondition: allOf([hasId(dialect, id), isVisible]) }];
  if (objectId !== undefined)
    return [{ indexedCondition: equal(dialect, 'object_id', objectId), unindexedCondition: isVisible }];
  if (kinds.every((kind) => all.includes(kind))) return [{ unindexedCondition: ofAll }];
  return [
    ...all.map((kind) => ({ indexedCondition: equal(dialect, 'type', kind) })),
    ...(own.length === 0 ? [] : [{ indexedCondition: isOwn, unindexedCondition: ofOwn }]),
  ];
}

/** PostgreSQL always uses an index for this condition, even if it assumes that the value is common. */
export function equal(dialect: Database['dialect'], column: string, value: string): Condition {
  return (params) => filterWhere(dialect, { [column]: [value] }, params);
}

export function hasId(dialect: Database['dialect'], id: string): Condition {
  return (params) => isRowOf(dialect, id, params);
}

export function allOf(conditions: readonly Condition[]): Condition {
  return (params) => conditions.map((condition) => `(${condition(params)})`).join(' AND ');
}

export function anyOf(conditions: readonly Condition[]): Condition | undefined {
  if (conditions.length === 0) return undefined;
  return (params) => conditions.map((condition) => `(${condition(params)})`).join(' OR ');
}

function list(values: readonly string[], params: Parameters): string {
  return values.map((value) => params.add(value)).join(', ');
}
