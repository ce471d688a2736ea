import { type Answer, type Item } from '../right-service.testing.js';
import { type Key, type Listing, type Sorted } from './list-options.testing.js';
import { compareKeys, keyOf, sizeOf } from './sort-keys.testing.js';

/** Content of a cursor. The cursor of a snapshot also has the remaining ids. */
interface Position {
  readonly last: Item;
  /** Position of the last row in the default order. */
  readonly place: Key;
  readonly pages: number;
  readonly deletions: number;
  readonly ids?: readonly string[];
  readonly first?: string;
}

export function pageByCursor(options: Listing, query: URLSearchParams, sorted: Sorted): Answer {
  const { fault, endsEarly, emptyLast, paging, digits } = options;
  const limit = sizeOf(query.get('limit'), query.get('sort'), options);
  if (!Number.isInteger(limit) || limit < 1) return refusal('A limit is a whole number from 1.');
  const position = read(query.get('cursor'), digits);
  if (position === null) return refusal('This is no cursor.');
  const isGone = position !== undefined && !sorted.rows.some(({ id }) => id === position.last.id);
  if (isGone && fault === 'refuses a cursor whose row is gone') return refusal('This is no cursor any more.');
  const sort = query.get('sort') ?? '';
  const pages = position?.pages ?? 0;
  const rest = position === undefined ? sorted.rows : restOf(options, sorted, position, sort);
  const size = endsEarly ? 1 + ((pages * 7) % limit) : limit;
  const shown = rest.slice(0, size);
  const last = shown.at(-1) ?? position?.last;
  const isLast = rest.length <= size;
  if (isLast && fault === 'last row lost') shown.pop();
  if (isLast && sort !== '' && fault === 'lists repriced rows again') {
    shown.push(
      ...sorted.rows.filter(({ id }) => sorted.history.replaced.has(id) && !shown.some((row) => row.id === id)),
    );
  }
  const ends = isLast && !(emptyLast && shown.length > 0) && fault !== 'never ends';
  if (ends || last === undefined) return { status: 200, body: { items: shown } };
  const place = sorted.history.places.get(last.id) ?? null;
  const ids = paging === 'snapshot' ? { ids: rest.slice(size).map(({ id }) => id) } : {};
  const made = { last, place, pages: pages + 1, deletions: sorted.history.deletions, ...ids };
  const next = digits ? String(place) : write(made);
  const first = position?.first ?? query.get('cursor') ?? next;
  if (fault !== (sort === '' ? 'leads back' : 'leads back when sorted') || pages === 0) {
    return { status: 200, body: { items: shown, next_cursor: next } };
  }
  return { status: 200, body: { items: shown, next_cursor: pages >= 2 ? first : write({ ...made, first }) } };
}

/** The rows after the position. */
function restOf(options: Listing, sorted: Sorted, position: Position, sort: string): readonly Item[] {
  const { paging, fault } = options;
  const { rows, bySort, sign, history } = sorted;
  const { last, pages, ids, place, deletions } = position;
  if (fault === 'first page from the fourth on' && pages > 2) return rows;
  const isGone = !rows.some(({ id }) => id === last.id);
  if (isGone && fault === 'begins again if the row of the cursor is gone') return rows;
  if (paging === 'snapshot') return (ids ?? []).flatMap((id) => rows.find((row) => row.id === id) ?? []);
  const next = rows.filter((row) => {
    const inSort = options.digits ? 0 : bySort(row, last);
    if (sort !== '' && fault === 'ties lost') return inSort > 0;
    return (inSort || sign * compareKeys(history.places.get(row.id) ?? null, place)) > 0;
  });
  const isAgain =
    (fault === 'fourth page again' && pages === 3) ||
    (fault === 'second page early' && pages === 1) ||
    repeatsSorted(options, sort, last, next[0]);
  const hasDeleted = fault === 'repeats a row after a deletion' && history.deletions > deletions;
  if (hasDeleted) return rows.slice(Math.max(0, rows.length - next.length - 1));
  const again = isAgain ? rows.filter(({ id }) => id === last.id) : [];
  return [...again, ...next.slice(fault === 'second page late' && pages === 1 ? 1 : 0)].filter(
    (row) => !losesSorted(options, sort, row, last),
  );
}

function repeatsSorted({ fault }: Listing, sort: string, last: Item, next: Item | undefined): boolean {
  if (sort === '') return false;
  const doubled = sort.startsWith('-') ? 'nulls doubled descending' : 'nulls doubled';
  if (fault === doubled && keyOf(last, sort) === null) return true;
  return fault === 'ties doubled' && next !== undefined && keyOf(next, sort) === keyOf(last, sort);
}

function losesSorted({ fault }: Listing, sort: string, row: Item, last: Item): boolean {
  if (sort === '') return false;
  const lost = sort.startsWith('-') ? 'nulls lost descending' : 'nulls lost ascending';
  if (fault === lost && keyOf(row, sort) === null) return true;
  return fault === 'nulls end the walk' && keyOf(last, sort) === null;
}

function refusal(error: string): Answer {
  return { status: 400, body: { error } };
}

function write(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Undefined: no cursor; null: an invalid one. */
function read(cursor: string | null, digits: boolean | undefined): Position | null | undefined {
  if (cursor === null) return undefined;
  if (digits) {
    if (!/^\d+$/.test(cursor)) return null;
    return { last: { id: '', name: '' }, place: Number(cursor), pages: 1, deletions: 0 };
  }
  try {
    const position = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Position | number;
    return typeof position === 'object' ? position : null;
  } catch {
    return null;
  }
}
