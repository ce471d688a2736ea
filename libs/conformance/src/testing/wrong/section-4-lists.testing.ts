import type { Item } from '../right-service.testing.js';
import { offsetList } from './wrong-lists.testing.js';
import {
  stranger,
  byCursor,
  ignoring,
  instead,
  isList,
  itemOf,
  reshaped,
  wrong,
  type WrongService,
} from './wrong-service.testing.js';

export const lists: readonly WrongService[] = [
  wrong('4.list.status', 'answers a list with 206', instead(200, { status: 206 }, isList)),
  wrong(
    '4.list.items',
    'answers a list as a bare array',
    reshaped(isList, ({ items }) => items),
  ),
  wrong(
    '4.list.items',
    'names the list `data`',
    reshaped(isList, ({ items, ...rest }) => ({ data: items, ...rest })),
  ),
  wrong('4.list.paging-fields', 'returns nothing but the items', (request, right, items) =>
    isList(request) && !stranger(request) ? { status: 200, body: { items: [...items.values()] } } : right(request),
  ),
  wrong(
    '4.list.holds-items',
    'lists all items but the newest',
    reshaped(isList, ({ items, ...rest }) => {
      const newest = Math.max(...(items as Item[]).map(({ id }) => Number(id)));
      return { ...rest, items: (items as Item[]).filter(({ id }) => Number(id) < newest) };
    }),
  ),
  {
    fails: '4.list.deleted',
    what: 'lists deleted items',
    make: () => {
      const deleted = new Map<string, Item>();
      return (request, right, items) => {
        const item = itemOf(request, items);
        if (request.method === 'DELETE' && item) deleted.set(item.id, item);
        if (!isList(request) || byCursor(request) || stranger(request)) return right(request);
        return offsetList([...items.values(), ...deleted.values()], request.query);
      };
    },
  },
  ...['page', 'per_page', 'total'].map((field) =>
    wrong(
      `4.offset.field-${field.replace('_', '-')}`,
      `returns ${field} as a string`,
      reshaped(
        (request) => isList(request) && !byCursor(request),
        (body) => ({ ...body, [field]: String(body[field]) }),
      ),
    ),
  ),
  wrong(
    '4.offset.field-total',
    'returns no total',
    reshaped(isList, ({ total: _, ...body }) => body),
  ),
  wrong('4.offset.page', 'ignores page', ignoring('page')),
  wrong('4.offset.per-page', 'ignores per_page', ignoring('per_page')),
  wrong(
    '4.offset.total',
    'returns the length of the page as the total',
    reshaped(
      (request) => isList(request) && !byCursor(request),
      (body) => ({ ...body, total: (body['items'] as []).length }),
    ),
  ),
  wrong(
    '4.offset.total',
    'returns a total that is too large by one',
    reshaped(
      (request) => isList(request) && !byCursor(request),
      (body) => ({ ...body, total: Number(body['total']) + 1 }),
    ),
  ),
  wrong('4.offset.total', 'begins each page one item late', (request, right, items) =>
    isList(request) && !byCursor(request) && !stranger(request)
      ? offsetList([...items.values()], request.query, 1)
      : right(request),
  ),
  wrong('4.list.holds-items', 'counts pages from 0', (request, right, items) =>
    isList(request) && !byCursor(request) && !stranger(request)
      ? offsetList([...items.values()], request.query, Number(request.query.get('per_page') ?? 20))
      : right(request),
  ),
  ...(['offset', 'cursor'] as const).map((style) =>
    wrong(
      `4.filter.none-${style}`,
      'answers a filter without a match with 404',
      (request, right) => {
        const answer = right(request);
        const { items } = (answer.body ?? {}) as { items?: Item[] };
        const isEmpty = isList(request) && request.query.has('color') && items?.length === 0;
        return isEmpty ? { status: 404, body: { error: 'There are no such items.' } } : answer;
      },
      { styles: [style] },
    ),
  ),
  {
    fails: '4.list.replaced',
    what: 'lists rows as they were created',
    make: () => {
      const created = new Map<string, Item>();
      return (request, right, items) => {
        for (const [id, item] of items) if (!created.has(id)) created.set(id, item);
        const answer = right(request);
        const body = answer.body as { items?: Item[] } | undefined;
        if (!isList(request) || answer.status !== 200 || body?.items === undefined) return answer;
        return { ...answer, body: { ...body, items: body.items.map((item) => created.get(item.id) ?? item) } };
      };
    },
  },
];
