import { type Answer, type Item } from '../right-service.testing.js';
import { type Listing } from './list-options.testing.js';
import { compareBy, keyOf, sizeOf } from './sort-keys.testing.js';

/** @param all Number of rows without the filter. */
export function pageByNumber(options: Listing, query: URLSearchParams, sorted: Item[], all: number): Answer {
  const { pastTheEnd = 'empty', fault } = options;
  const size = sizeOf(query.get('per_page'), query.get('sort'), options);
  const asked = Number(query.get('page') ?? 1);
  if (!Number.isInteger(asked) || asked < 1 || !(size >= 1)) {
    return { status: 400, body: { error: 'A page is a whole number from 1.' } };
  }
  const pages = Math.max(1, Math.ceil(sorted.length / size));
  if (asked > pages && pastTheEnd === 'refused') return { status: 404, body: { error: 'There is no such page.' } };
  const page = asked > pages && pastTheEnd === 'last page' ? pages : asked;
  const start = startOf(options, page, size);
  const sort = query.get('sort') ?? '';
  const losesNulls = sort !== '' && page > 1 && fault === `nulls lost ${sort.startsWith('-') ? 'de' : 'a'}scending`;
  const rows = pageRows(options, sort, sorted, start, size).filter((row) => !losesNulls || keyOf(row, sort) !== null);
  if (fault === 'last row lost' && start + size >= sorted.length) rows.pop();
  const total = fault === 'total of the page' ? rows.length : fault === 'total without filter' ? all : sorted.length;
  return { status: 200, body: { items: rows, page, per_page: size, total } };
}

function startOf({ fault }: Listing, page: number, size: number): number {
  const isSecond = page === 2;
  const moved = isSecond && fault === 'second page late' ? 1 : isSecond && fault === 'second page early' ? -1 : 0;
  if (fault === 'fourth page again' && page === 4) return 2 * size;
  return fault === 'first page from the fourth on' && page > 3 ? 0 : (page - 1) * size + moved;
}

function pageRows(options: Listing, sort: string, sorted: Item[], start: number, size: number): Item[] {
  if (options.fault !== 'sorts each page') return sorted.slice(start, start + size);
  const unsorted = [...sorted].sort((one, other) => Number(one.id) - Number(other.id));
  return unsorted.slice(start, start + size).sort(compareBy(sort, options));
}
