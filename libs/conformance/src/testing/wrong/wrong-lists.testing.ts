import { type Answer, type Handler, type Item, type Request } from '../right-service.testing.js';

/** Returns a page by number. @param late Number of items that are missing at the start of each page. */
export function offsetList(all: readonly Item[], query: URLSearchParams, late = 0): Answer {
  const rows = all.filter(({ color }) => !query.has('color') || color === query.get('color'));
  const page = Number(query.get('page') ?? 1);
  const perPage = Math.min(Number(query.get('per_page') ?? 20), 100);
  const start = (page - 1) * perPage + late;
  const body = { items: rows.slice(start, start + perPage), page, per_page: perPage, total: rows.length };
  return { status: 200, body };
}

export interface CursorFaults {
  /** Content of the cursor: rows listed so far, rows left, the last price, or a number that is not a string. */
  readonly cursor: 'offset' | 'left' | 'price' | 'number';
  readonly order?: 'newest' | 'changed-last' | 'changed-first';
  /** Number of rows that are missing between two pages. */
  readonly gap?: number;
  readonly filter?: boolean;
}

const changes = new WeakMap<Item, number>();
let change = 0;

/** The cursor is a position in the list, as in many services. */
export function cursorList({ cursor, order, gap = 0, filter = true }: CursorFaults) {
  return (request: Request, right: Handler, items: Map<string, Item>): Answer => {
    const { path, method, query } = request;
    const answer = right(request);
    const listed = path === '/items' && method === 'GET' && (query.has('limit') || query.has('cursor'));
    if (method === 'PUT' && answer.status === 200) changes.set(items.get(path.slice(7)) as Item, ++change);
    if (!listed || answer.status !== 200) return answer;
    const rows = inOrder([...items.values()], order, query.get('sort')).filter(
      ({ color }) => !filter || !query.has('color') || color === query.get('color'),
    );
    const limit = Math.min(Number(query.get('limit') ?? 20), 100);
    const start = startOf(rows, cursor, query.get('cursor'));
    const page = rows.slice(start, start + limit);
    const left = rows.length - start - page.length;
    const next = {
      offset: start + limit + gap,
      number: start + limit,
      left,
      price: page.at(-1)?.price ?? page.at(-1)?.id,
    }[cursor];
    const more = left > 0 ? { next_cursor: cursor === 'number' ? next : String(next) } : {};
    return { status: 200, body: { items: page, ...more } };
  };
}

function inOrder(rows: Item[], order: CursorFaults['order'], sort: string | null): Item[] {
  if (sort === 'price') return rows.sort((a, b) => (a.price ?? 0) - (b.price ?? 0));
  if (order === 'newest') return rows.sort((a, b) => Number(b.id) - Number(a.id));
  const changed = (item: Item): number => changes.get(item) ?? 0;
  if (order === 'changed-last') return rows.sort((a, b) => changed(a) - changed(b));
  return order === 'changed-first' ? rows.sort((a, b) => changed(b) - changed(a)) : rows;
}

function startOf(rows: readonly Item[], cursor: CursorFaults['cursor'], value: string | null): number {
  if (value === null) return 0;
  if (cursor === 'left') return Math.max(0, rows.length - Number(value));
  if (cursor !== 'price') return Number(value);
  const next = rows.findIndex((row) => (row.price ?? Number(row.id)) > Number(value));
  return next === -1 ? rows.length : next;
}

/** Continues after the last price: rows with the same price that did not fit on the page are lost. */
export function losingTies(request: Request, right: Handler, items: Map<string, Item>): Answer {
  const answer = right(request);
  const body = answer.body as { items?: Item[]; next_cursor?: string } | undefined;
  const last = body?.items?.at(-1);
  if (request.query.get('sort') !== 'price' || body?.next_cursor === undefined || typeof last?.price !== 'number')
    return answer;
  const ids = Buffer.from(body.next_cursor, 'base64url').toString().split(' ');
  const left = ids.filter((id) => items.get(id)?.price !== last.price);
  const { next_cursor: _, ...rest } = body;
  const next = left.length > 0 ? { next_cursor: Buffer.from(left.join(' ')).toString('base64url') } : {};
  return { ...answer, body: { ...rest, ...next } };
}
