import type { Change, Identified } from './store.js';

export interface RowEvent<Row> {
  readonly type: string;
  readonly data: { readonly object: Row; readonly previous?: object };
}

/** `updated_at` orders the states of a row. */
interface Dated {
  readonly updated_at?: string;
}

/**
 * Computes the change to a copy from a page of events.
 * @param gone Ids of rows that a reload has removed. The feed may still list their last updates.
 */
export function changeBy<Row extends Identified>(
  rows: ReadonlyMap<string, Row>,
  events: readonly RowEvent<Row>[],
  gone: ReadonlySet<string>,
): Change<Row> {
  const latest = new Map<string, Row | undefined>();
  for (const { type, data } of events) {
    const { id } = data.object;
    const known = latest.has(id) ? latest.get(id) : rows.get(id);
    if (type.endsWith('.deleted')) latest.set(id, undefined);
    else if (!gone.has(id) && (known === undefined || isNewer(data, known))) latest.set(id, data.object);
  }
  const upserted: Row[] = [];
  const deleted: string[] = [];
  for (const [id, row] of latest) {
    if (row !== undefined) upserted.push(row);
    else if (rows.has(id)) deleted.push(id);
  }
  return { upserted, deleted };
}

export function byId<Row extends Identified>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

export function changeTo<Row extends Identified>(from: ReadonlyMap<string, Row>, to: readonly Row[]): Change<Row> {
  if (from.size === 0) return { upserted: to, deleted: [] };
  const ids = new Set(to.map(({ id }) => id));
  const upserted = to.filter((row) => {
    const known = from.get(row.id);
    return known === undefined || textOf(known) !== textOf(row);
  });
  return { upserted, deleted: [...from.keys()].filter((id) => !ids.has(id)) };
}

export function isEmptyChange({ upserted, deleted }: Change<unknown>): boolean {
  return upserted.length + deleted.length === 0;
}

export function change<Row extends Identified>(rows: Map<string, Row>, { upserted, deleted }: Change<Row>): void {
  for (const row of upserted) rows.set(row.id, row);
  for (const id of deleted) rows.delete(id);
}

/**
 * Whether an event has a later state than a row: a walk may show a write before the feed lists it. If the times are
 * equal, the event is later only if its previous state equals the row.
 */
function isNewer<Row extends Identified>({ object, previous }: RowEvent<Row>['data'], row: Row): boolean {
  const [then = '', now = ''] = [(row as Dated).updated_at, (object as Dated).updated_at];
  if (now !== then) return now > then;
  return textOf(object) !== textOf(row) && textOf({ ...object, ...previous }) === textOf(row);
}

function textOf(row: object): string {
  return JSON.stringify(row);
}
