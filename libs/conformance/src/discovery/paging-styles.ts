import { type CheckContext } from '../check.js';
import { idsOf, nextCursor, rowsOf } from '../pages/walk.js';
import { type Exchange, fieldsOf } from '../service/exchange.js';

const noRows = '4.create.status: without a writable collection there are no rows to page through';

export async function discoverPaging(context: CheckContext): Promise<void> {
  const { found, items } = context;
  if (!found.has('items.write')) return found.lacks(['offset', 'cursor'], noRows);
  await items.createMany(3);
  const hasOffset = await pagesByNumber(context);
  const hasCursor = await pagesByCursor(context, hasOffset);
  const reason = hasOffset || hasCursor ? 'the service pages by' : 'the service pages in neither style:';
  if (!hasOffset) found.lacks('offset', hasCursor ? `${reason} cursor only` : `${reason} no page fields`);
  if (!hasCursor) found.lacks('cursor', hasOffset ? `${reason} page number only` : `${reason} no next_cursor`);
  if (hasOffset) found.pageSizes.offset = await largestPageSize(context, 'page=1&per_page');
  if (hasCursor) found.pageSizes.cursor = await largestPageSize(context, 'limit');
}

export function hasOffsetFields(exchange: Exchange): boolean {
  return hasPageNumber(exchange) || 'total' in fieldsOf(exchange.json);
}

function hasPageNumber(exchange: Exchange): boolean {
  return ['page', 'per_page'].some((name) => name in fieldsOf(exchange.json));
}

/** Whether the options declare lists as bare arrays, or page numbers at a position that the suite does not search. */
function hasOwnShape({ service }: CheckContext): boolean {
  const { member, hasOwnEnvelope } = service.translation.naming;
  return member === null || hasOwnEnvelope;
}

async function pagesByNumber(context: CheckContext): Promise<boolean> {
  const page = await context.service.get('/items?page=1&per_page=2');
  if (page.status !== 200 || (rowsOf(page).length === 0 && !hasNoList(page))) return false;
  if (hasPageNumber(page)) return true;
  // Only a short page counts: a page in cursor style may also have a total, but ignores `per_page`.
  const isShort = rowsOf(page).length <= 2 && nextCursor(page) === undefined;
  if (isShort && 'total' in fieldsOf(page.json)) return true;
  return hasOwnShape(context) && (await turnsPages(context, page));
}

/** Whether the body has no list in the expected position. Another check judges this. */
function hasNoList(exchange: Exchange): boolean {
  return !Array.isArray(fieldsOf(exchange.json)['items']) && !Array.isArray(exchange.json);
}

/**
 * Detects numbered pages if responses state no page numbers: `per_page=2` shortens the list, or `page=2` has other
 * rows.
 */
async function turnsPages({ service }: CheckContext, first: Exchange): Promise<boolean> {
  const ids = idsOf(first);
  if (ids.length === 0 || nextCursor(first) !== undefined) return false;
  if (ids.length <= 2 && idsOf(await service.get('/items')).length > 2) return true;
  const second = idsOf(await service.get('/items?page=2&per_page=2'));
  return second.length > 0 && !second.some((id) => ids.includes(id));
}

/** Detects cursor style: a page with a next cursor, or a truncated page without page numbers. */
async function pagesByCursor(context: CheckContext, hasOffset: boolean): Promise<boolean> {
  const { service } = context;
  const page = await service.get('/items?limit=2');
  if (page.status !== 200) return false;
  if (nextCursor(page) !== undefined) return true;
  if (hasPageNumber(page) || Array.isArray(page.json) || (hasOffset && hasOwnShape(context))) return false;
  // A short page with a total and without a cursor belongs to another style.
  if (rowsOf(page).length <= 2) return rowsOf(page).length > 0 && !hasOffsetFields(page);
  // A service that ignores `limit` returns a next cursor only for a longer list.
  await manyRows(context);
  return nextCursor(await service.get('/items?limit=2')) !== undefined;
}

async function largestPageSize({ service }: CheckContext, parameter: string): Promise<number> {
  for (const size of [100, 50, 20]) {
    if ((await service.get(`/items?${parameter}=${size}`)).status === 200) return size;
  }
  return 10;
}

/** More rows than a default page, so that a service that ignores page sizes has a second page, too. */
const rowsBeyondOnePage = 25;

export function manyRows({ items, once }: CheckContext): Promise<unknown> {
  return once('many rows', () => items.createMany(rowsBeyondOnePage - items.count));
}
