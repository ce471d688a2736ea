import { type CheckContext } from '../context.js';
import { nextCursor } from '../pages/walk.js';
import { idsOf, rowsOf } from '../pages/rows.js';
import { type Exchange, fieldsOf } from '../service/exchange.js';

const offsetFields = ['page', 'per_page', 'total'];
const noRows = '4.create.status: without a writable collection there are no rows to page through';

/** Which of the two paging styles the service has, and how large its pages may be. */
export async function discoverPaging(context: CheckContext): Promise<void> {
  const { service, found, items } = context;
  if (!found.has('items.write')) {
    found.lacks('offset', noRows);
    found.lacks('cursor', noRows);
    return;
  }
  await items.createMany([{}, {}, {}]);
  const byPage = await service.get('/items?page=1&per_page=2');
  const byLimit = await service.get('/items?limit=2');
  const { member, hasOwnEnvelope } = service.words.naming;
  const turns = (member === null || hasOwnEnvelope) && (await turnsPages(context, byPage));
  const hasRows = byPage.status === 200 && (rowsOf(byPage).length > 0 || hasNoList(byPage));
  const hasOffset = hasRows && (hasOffsetFields(byPage) || turns);
  const hasCursor = byLimit.status === 200 && looksLikeCursorPage(byLimit);
  const reason = hasOffset || hasCursor ? 'the service pages by' : 'the service pages in neither style:';
  if (!hasOffset) found.lacks('offset', hasCursor ? `${reason} cursor only` : `${reason} no page fields`);
  if (!hasCursor) found.lacks('cursor', hasOffset ? `${reason} page number only` : `${reason} no next_cursor`);
  if (hasOffset) found.pageSize = await largest(context, 'page=1&per_page');
  if (hasCursor) found.limitSize = await largest(context, 'limit');
}

export function hasOffsetFields(exchange: Exchange): boolean {
  return offsetFields.some((name) => name in fieldsOf(exchange.json));
}

/** A list that is not found where it should be is another sentence's. */
function hasNoList(exchange: Exchange): boolean {
  return !Array.isArray(fieldsOf(exchange.json)['items']) && !Array.isArray(exchange.json);
}

/** Where the body tells no page numbers, the pages themselves do: a short one, and another one behind it. */
async function turnsPages({ service }: CheckContext, first: Exchange): Promise<boolean> {
  const ids = idsOf(first);
  if (ids.length === 0 || ids.length > 2) return false;
  const second = idsOf(await service.get('/items?page=2&per_page=2'));
  return second.length > 0 && !second.some((id) => ids.includes(id));
}

/** A page of two rows that leads on, or that ought to: it is cut, and tells no page numbers. */
function looksLikeCursorPage(exchange: Exchange): boolean {
  if (nextCursor(exchange) !== undefined) return true;
  const count = rowsOf(exchange).length;
  return !hasOffsetFields(exchange) && !Array.isArray(exchange.json) && count > 0 && count <= 2;
}

async function largest({ service }: CheckContext, parameter: string): Promise<number> {
  for (const size of [100, 50, 20]) {
    if ((await service.get(`/items?${parameter}=${size}`)).status === 200) return size;
  }
  return 10;
}
