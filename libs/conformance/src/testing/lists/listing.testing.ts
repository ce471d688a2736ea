import { randomUUID } from 'node:crypto';
import { type Answer, type Item } from '../right-service.testing.js';
import { isList, type Step, stranger } from '../wrong/wrong-service.testing.js';
import { type ListFault } from './list-fault.testing.js';
import { pageByCursor } from './page-by-cursor.testing.js';
import { pageByNumber } from './page-by-number.testing.js';
import { compareBy, compareKeys } from './sort-keys.testing.js';
import { type History, type Key, type Listing } from './list-options.testing.js';

const parameters = ['page', 'per_page', 'limit', 'cursor', 'sort', 'color'];
const refusal = (error: string): Answer => ({ status: 400, body: { error } });

/** The right service with other lists. */
export function listing(options: Listing): Step {
  const history: History = { places: new Map(), replaced: new Set(), changes: 0, deletions: 0 };
  const { order } = options;
  return (request, right, items) => {
    const answer = right(request);
    for (const id of items.keys()) {
      if (!history.places.has(id)) history.places.set(id, order === 'uuid' ? randomUUID() : (history.changes += 1));
    }
    if (answer.status === 204) history.deletions += 1;
    if (answer.status === 200 && request.method === 'PUT') {
      const id = request.path.slice(7);
      history.replaced.add(id);
      if (order?.startsWith('changed')) history.places.set(id, (history.changes += 1));
    }
    if (!isList(request) || stranger(request) || answer.status !== 200) return answer;
    return list(options, request.query, [...items.values()], history);
  };
}

function list(options: Listing, query: URLSearchParams, items: Item[], history: History): Answer {
  const { refusesUnknown, refusesSort, descending = 'reverses', order = '', paging, pagesByNumber } = options;
  const unknown = [...query.keys()].find((name) => !parameters.includes(name));
  if (refusesUnknown && unknown !== undefined) return refusal(`There is no parameter ${unknown}.`);
  const sort = query.get('sort') ?? '';
  if (refusesSort && sort !== '') return refusal('Lists have one order.');
  if (descending === 'is refused' && sort.startsWith('-')) return refusal('There is no descending order.');
  const used = descending === 'is ignored' && sort.startsWith('-') ? '' : sort;
  const bySort = compareBy(used, options);
  const sign = ['newest', 'changed first'].includes(order) ? -1 : 1;
  const place = ({ id }: Item): Key => history.places.get(id) ?? null;
  const byChance = (item: Item): boolean => isByChance(item, used, options.fault);
  const rows = items
    .filter((item) => isShown(item, query, options.fault))
    .sort(
      (one, other) =>
        bySort(one, other) || (byChance(one) ? Math.random() - 0.5 : sign * compareKeys(place(one), place(other))),
    );
  if (paging === 'offset' || (pagesByNumber && !query.has('limit') && !query.has('cursor'))) {
    return pageByNumber(options, query, rows, items.length);
  }
  return pageByCursor(options, query, { rows, bySort, sign, history });
}

function isByChance(item: Item, sort: string, fault: ListFault | undefined): boolean {
  if (sort === '') return false;
  const isNull = (item[sort.replace('-', '') as keyof Item] ?? null) === null;
  return fault === 'sorts ties by chance' || (fault === 'sorts nulls by chance' && isNull);
}

function isShown({ color }: Item, query: URLSearchParams, fault: ListFault | undefined): boolean {
  const wanted = query.get('color');
  if (wanted === null || fault === 'ignores the filter') return true;
  const isLater = query.has('cursor') || Number(query.get('page') ?? 1) > 1;
  if (fault === 'filters the first page only' && isLater) return true;
  return fault === 'filters by prefix' ? String(color).startsWith(wanted) : color === wanted;
}
