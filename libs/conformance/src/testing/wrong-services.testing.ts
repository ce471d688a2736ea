import { type Answer, type Handler, type Item, type Offers, type Request } from './right-service.testing.js';
import { cursorList, losingTies, offsetList } from './wrong-lists.testing.js';

/** One wrong step before or behind the right service. */
export type Step = (request: Request, right: Handler, items: Map<string, Item>) => Answer;

/** A wrong service, and the check whose sentence it breaks. */
export interface WrongService {
  readonly fails: string;
  readonly what: string;
  readonly offers?: Partial<Offers>;
  /** Made anew for each run, since it may remember something. */
  readonly make: () => Step;
}

const wrong = (fails: string, what: string, step: Step, offers?: Partial<Offers>): WrongService => ({
  fails,
  what,
  make: () => step,
  ...(offers ? { offers } : {}),
});

const isItem = ({ path }: Request): boolean => path.startsWith('/items/');
const isList = ({ path, method }: Request): boolean => path === '/items' && method === 'GET';
const byCursor = ({ query }: Request): boolean => query.has('limit') || query.has('cursor');
const bodyOf = (answer: Answer): Record<string, unknown> => ({ ...(answer.body as Record<string, unknown>) });
const itemOf = (request: Request, items: Map<string, Item>): Item | undefined => items.get(request.path.slice(7));

/** Answers of a status get another status or body. */
function instead(status: number, change: Partial<Answer>, applies: (request: Request) => boolean = () => true): Step {
  return (request, right) => {
    const answer = right(request);
    return answer.status === status && applies(request) ? { ...answer, ...change } : answer;
  };
}

/** Successful answers have their body changed. */
function reshaped(applies: (request: Request) => boolean, change: (body: Record<string, unknown>) => unknown): Step {
  return (request, right) => {
    const answer = right(request);
    return answer.status < 300 && applies(request) ? { ...answer, body: change(bodyOf(answer)) } : answer;
  };
}

/** Error bodies are changed. */
function errors(change: (body: Record<string, unknown>, status: number) => Partial<Answer>): Step {
  return (request, right) => {
    const answer = right(request);
    return answer.status >= 400 ? { ...answer, ...change(bodyOf(answer), answer.status) } : answer;
  };
}

/** A parameter of lists is ignored. */
const ignoring =
  (parameter: string, applies: (request: Request) => boolean = () => true): Step =>
  (request, right) => {
    const query = new URLSearchParams(request.query);
    if (applies(request)) query.delete(parameter);
    return right({ ...request, query });
  };

const withKey = (request: Request, key: string): Request => ({
  ...request,
  headers: { ...request.headers, 'x-api-key': key },
});
const key = 'key-that-may-write';
const allowing =
  (applies: (request: Request) => boolean): Step =>
  (request, right) =>
    right(applies(request) ? withKey(request, key) : request);
const anonymous = ({ headers }: Request): boolean => headers['x-api-key'] === undefined;
const impostor = ({ headers }: Request): boolean => (headers['x-api-key'] ?? key) === 'not-a-valid-credential';

const section1: readonly WrongService[] = [
  wrong(
    '1.json.answers',
    'answers a replacement in plain text',
    instead(200, { text: 'done' }, ({ method }) => method === 'PUT'),
  ),
  wrong(
    '1.json.errors',
    'tells errors in plain text',
    errors((body) => ({ text: String(body['error']) })),
  ),
  {
    fails: '1.self-contained.credentials',
    what: 'remembers who a connection belongs to',
    make: () => {
      const known = new WeakSet();
      return (request, right) => {
        if (!anonymous(request)) known.add(request.connection);
        return right(known.has(request.connection) && anonymous(request) ? withKey(request, key) : request);
      };
    },
  },
  {
    fails: '1.self-contained.credentials',
    what: 'takes a cookie for the credential',
    make: () => (request, right) => {
      const known = request.headers['cookie'] === 'session=1';
      return { ...right(known ? withKey(request, key) : request), headers: { 'Set-Cookie': 'session=1; HttpOnly' } };
    },
  },
  {
    fails: '1.self-contained.lists',
    what: 'goes on from list to list',
    make: () => {
      let lists = 0;
      return (request, right) => {
        const answer = right(request);
        const body = bodyOf(answer);
        if (!isList(request) || answer.status !== 200 || lists++ % 2 === 0) return answer;
        return { ...answer, body: { ...body, items: (body['items'] as []).slice(1) } };
      };
    },
  },
  {
    fails: '1.self-contained.cursors',
    what: 'takes a cursor only once',
    make: () => {
      const used = new Set<string>();
      return (request, right) => {
        const cursor = request.query.get('cursor');
        if (cursor === null) return right(request);
        if (used.has(cursor)) return { status: 400, body: { error: 'This cursor was used before.' } };
        used.add(cursor);
        return right(request);
      };
    },
  },
  {
    fails: '1.self-contained.no-cookie',
    what: 'asks for the cookie of its first answer',
    make: () => {
      let begun = false;
      return (request, right) => {
        if (begun && request.headers['cookie'] !== 'session=1') return { status: 401, body: { error: 'No session.' } };
        begun = true;
        return { ...right(request), headers: { 'Set-Cookie': 'session=1; HttpOnly' } };
      };
    },
  },
];

const section2: readonly WrongService[] = [
  wrong('2.id.assigned', 'tells the id in Location only', (request, right) => {
    const answer = right(request);
    if (answer.status !== 201) return answer;
    const { id, ...body } = bodyOf(answer);
    return { ...answer, body, headers: { Location: `/items/${String(id)}` } };
  }),
  wrong('2.id.unique', 'gives all items one id', (request, right, items) => {
    const answer = right(request);
    if (answer.status !== 201) return answer;
    const item = { ...(answer.body as Item), id: '1' };
    items.delete((answer.body as Item).id);
    items.set('1', item);
    return { ...answer, body: item };
  }),
  wrong('2.id.output-only', 'lets clients choose the id', (request, right, items) => {
    const answer = right(request);
    const chosen = answer.status === 201 ? (JSON.parse(request.raw) as { id?: string | number }).id : undefined;
    if (chosen === undefined) return answer;
    const item = { ...(answer.body as Item), id: String(chosen) };
    items.delete((answer.body as Item).id);
    items.set(item.id, item);
    return { ...answer, body: item };
  }),
  wrong('2.id.kept', 'lets a replacement change the id', (request, right, items) => {
    const answer = right(request);
    if (answer.status !== 200 || request.method !== 'PUT') return answer;
    Object.assign(itemOf(request, items) ?? {}, JSON.parse(request.raw));
    return answer;
  }),
  wrong('2.name.kept', 'loses letters that are not ASCII', (request, right) =>
    right({ ...request, raw: request.raw.replaceAll(/[^\x20-\x7e]/g, '?') }),
  ),
  wrong('2.name.string', 'keeps a number as the name', (request, right, items) => {
    const answer = right({ ...request, raw: request.raw.replace('"name":42', '"name":"42"') });
    const item = answer.status === 201 ? items.get((answer.body as Item).id) : undefined;
    if (item?.name === '42') Object.assign(item, { name: 42 });
    return answer;
  }),
  wrong('2.collections.plural', 'serves /item as well', (request, right) =>
    right({ ...request, path: request.path.replace(/^\/item$/, '/items') }),
  ),
  wrong('2.orders.nested', "answers a user's orders as one text", (request, right) => {
    if (request.path === '/users') return { status: 200, body: { users: [{ id: 'u1' }] } };
    return request.path === '/users/u1/orders' ? { status: 200, body: 'none' } : right(request);
  }),
];

const endpoints: readonly WrongService[] = [
  wrong('4.create.status', 'answers a creation with 200', instead(201, { status: 200 })),
  wrong('4.create.status', 'answers a creation with 202', instead(201, { status: 202 })),
  wrong(
    '4.get.status',
    'answers an item with 203',
    instead(200, { status: 203 }, (request) => isItem(request) && request.method === 'GET'),
  ),
  wrong(
    '4.get.item',
    'wraps the item',
    reshaped(
      (request) => isItem(request) && request.method === 'GET',
      (item) => ({ item }),
    ),
  ),
  wrong(
    '4.replace.status',
    'answers a replacement with 204',
    instead(200, { status: 204, text: '' }, ({ method }) => method === 'PUT'),
  ),
  wrong(
    '4.replace.status',
    'answers a replacement with 201',
    instead(200, { status: 201 }, ({ method }) => method === 'PUT'),
  ),
  wrong('4.replace.item', 'answers a replacement with what was there before', (request, right, items) => {
    const before = { ...itemOf(request, items) };
    const answer = right(request);
    return request.method === 'PUT' && answer.status === 200 ? { ...answer, body: before } : answer;
  }),
  wrong('4.replace.stored', 'stores no replacement', (request, right, items) => {
    const before = itemOf(request, items);
    const answer = right(request);
    if (request.method === 'PUT' && before) items.set(before.id, before);
    return answer;
  }),
  wrong('4.replace.whole', 'merges a replacement into the item', (request, right, items) => {
    const before = itemOf(request, items);
    const answer = right(request);
    if (request.method !== 'PUT' || answer.status !== 200 || !before) return answer;
    items.set(before.id, { ...before, ...(answer.body as Item) });
    return { ...answer, body: items.get(before.id) };
  }),
  wrong('4.replace.one', 'replaces all items', (request, right, items) => {
    const answer = right(request);
    if (request.method !== 'PUT' || answer.status !== 200) return answer;
    for (const item of items.values()) item.name = (answer.body as Item).name;
    return answer;
  }),
  wrong('4.delete.status', 'answers a deletion with 200', instead(204, { status: 200 })),
  wrong('4.delete.empty', 'answers a deletion with a body', instead(204, { status: 200, body: { deleted: true } })),
  wrong('4.delete.gone', 'deletes nothing', (request, right, items) => {
    const before = itemOf(request, items);
    const answer = right(request);
    if (request.method === 'DELETE' && before) items.set(before.id, before);
    return answer;
  }),
  wrong('4.delete.one', 'deletes everything', (request, right, items) => {
    const answer = right(request);
    if (answer.status === 204) items.clear();
    return answer;
  }),
];

const rules: readonly WrongService[] = [
  wrong(
    '4.method.collection',
    'answers PATCH on the collection with 404',
    instead(405, { status: 404 }, ({ path }) => path === '/items'),
  ),
  wrong('4.method.collection', 'takes PATCH for GET', (request, right) =>
    right(request.method === 'PATCH' ? { ...request, method: 'GET' } : request),
  ),
  wrong('4.method.item', 'answers POST on an item with 404', instead(405, { status: 404 }, isItem)),
  wrong(
    '4.unknown.get',
    'answers an unknown id with 500',
    instead(404, { status: 500 }, ({ method }) => method === 'GET'),
  ),
  wrong('4.unknown.get', 'answers an unknown id with 200 and null', instead(404, { status: 200, body: null }, isItem)),
  wrong(
    '4.unknown.form',
    'falls over an id of another form',
    instead(404, { status: 500 }, ({ path }) => /\D$/.test(path)),
  ),
  wrong(
    '7.status.invalid-replace',
    'answers a replacement with invalid content by 400',
    instead(422, { status: 400 }, ({ method }) => method === 'PUT'),
  ),
  wrong(
    '7.status.invalid-replace',
    'falls over a replacement with invalid content',
    instead(422, { status: 500 }, ({ method }) => method === 'PUT'),
  ),
  wrong(
    '4.unknown.put',
    'answers a replacement of the unknown with 422',
    instead(404, { status: 422 }, ({ method }) => method === 'PUT'),
  ),
  wrong('4.unknown.put-creates-nothing', 'creates what a replacement does not find', (request, right, items) => {
    const answer = right(request);
    if (request.method !== 'PUT' || answer.status !== 404) return answer;
    const id = request.path.slice(7);
    items.set(id, { ...(JSON.parse(request.raw) as Item), id });
    return { status: 201, body: items.get(id) };
  }),
  wrong(
    '4.unknown.delete',
    'answers each deletion with 204',
    instead(404, { status: 204, text: '' }, ({ method }) => method === 'DELETE'),
  ),
  wrong('4.create.without-name', 'answers a missing name with 400', instead(422, { status: 400 })),
  wrong('4.create.without-name', 'creates items without a name', (request, right) =>
    right(
      request.method === 'POST' ? { ...request, raw: request.raw.replace(/^\{\}$/, '{"name":"untitled"}') } : request,
    ),
  ),
  wrong('4.create.no-object', 'fails at an array', (request, right) =>
    request.raw === '[]' ? { status: 500, body: { error: 'Something went wrong.' } } : right(request),
  ),
  wrong('2.name.named', 'does not name the missing field', instead(422, { body: { error: 'Validation failed.' } })),
  wrong(
    '4.malformed.create',
    'answers malformed JSON with 422',
    instead(400, { status: 422 }, ({ method }) => method === 'POST'),
  ),
  wrong(
    '4.malformed.replace',
    'fails at malformed JSON on PUT',
    instead(400, { status: 500 }, ({ method }) => method === 'PUT'),
  ),
];

const lists: readonly WrongService[] = [
  wrong('4.list.status', 'answers a list with 206', instead(200, { status: 206 }, isList)),
  wrong(
    '4.list.items',
    'answers a list as a bare array',
    reshaped(isList, ({ items }) => items),
  ),
  wrong(
    '4.list.items',
    'names the list after no collection',
    reshaped(isList, ({ items, ...rest }) => ({ data: items, ...rest })),
  ),
  wrong('4.list.paging-fields', 'tells nothing but the items', (request, right, items) =>
    isList(request) && !anonymous(request) ? { status: 200, body: { items: [...items.values()] } } : right(request),
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
    what: 'lists what was deleted',
    make: () => {
      const deleted = new Map<string, Item>();
      return (request, right, items) => {
        const item = itemOf(request, items);
        if (request.method === 'DELETE' && item) deleted.set(item.id, item);
        if (!isList(request) || byCursor(request) || anonymous(request)) return right(request);
        return offsetList([...items.values(), ...deleted.values()], request.query);
      };
    },
  },
  ...['page', 'per_page', 'total'].map((field) =>
    wrong(
      `4.offset.field-${field.replace('_', '-')}`,
      `tells ${field} as a string`,
      reshaped(
        (request) => isList(request) && !byCursor(request),
        (body) => ({ ...body, [field]: String(body[field]) }),
      ),
    ),
  ),
  wrong(
    '4.offset.field-total',
    'tells no total',
    reshaped(isList, ({ total: _, ...body }) => body),
  ),
  wrong('4.offset.page', 'ignores page', ignoring('page')),
  wrong('4.offset.per-page', 'ignores per_page', ignoring('per_page')),
  wrong(
    '4.offset.total',
    "takes the page's length for the total",
    reshaped(
      (request) => isList(request) && !byCursor(request),
      (body) => ({ ...body, total: (body['items'] as []).length }),
    ),
  ),
  wrong(
    '4.offset.total',
    'counts one too many',
    reshaped(
      (request) => isList(request) && !byCursor(request),
      (body) => ({ ...body, total: Number(body['total']) + 1 }),
    ),
  ),
  wrong('4.offset.each-once', 'begins each page one item late', (request, right, items) =>
    isList(request) && !byCursor(request) && !anonymous(request)
      ? offsetList([...items.values()], request.query, 1)
      : right(request),
  ),
  wrong('4.offset.each-once', 'counts pages from 0', (request, right, items) =>
    isList(request) && !byCursor(request) && !anonymous(request)
      ? offsetList([...items.values()], request.query, Number(request.query.get('per_page') ?? 20))
      : right(request),
  ),
];

const cursors: readonly WrongService[] = [
  wrong('4.cursor.next-cursor', 'answers with a number as next_cursor', cursorList({ cursor: 'number' })),
  wrong(
    '4.cursor.next-cursor',
    'never leads on',
    reshaped(isList, ({ items }) => ({ items })),
    { styles: ['cursor'] },
  ),
  wrong(
    '4.cursor.limit',
    'ignores limit',
    ignoring('limit', ({ query }) => query.get('limit') === '1'),
    { styles: ['cursor'] },
  ),
  wrong(
    '4.cursor.limit',
    'ignores limit behind a cursor',
    ignoring('limit', ({ query }) => query.has('cursor')),
  ),
  wrong('4.cursor.position', 'ignores cursor', ignoring('cursor'), { styles: ['cursor'] }),
  ...[null, ''].map((next) =>
    wrong(
      '4.cursor.absent-on-last',
      `ends with next_cursor ${JSON.stringify(next)}`,
      reshaped(
        (request) => isList(request) && byCursor(request),
        (body) => ({ next_cursor: next, ...body }),
      ),
    ),
  ),
  wrong('4.cursor.each-once', 'skips an item between two pages', cursorList({ cursor: 'offset', gap: 1 })),
  wrong('4.cursor.each-once', 'repeats an item on the next page', cursorList({ cursor: 'offset', gap: -1 })),
  wrong(
    '4.cursor.no-duplicates.inserts',
    'counts rows, the newest first',
    cursorList({ cursor: 'offset', order: 'newest' }),
  ),
  wrong('4.cursor.no-skips.inserts', 'counts the rows that are left', cursorList({ cursor: 'left' })),
  wrong('4.cursor.no-duplicates.deletes', 'counts the rows that are left', cursorList({ cursor: 'left' })),
  wrong('4.cursor.no-skips.deletes', 'counts the rows that were listed', cursorList({ cursor: 'offset' })),
  wrong(
    '4.cursor.no-duplicates.updates',
    'moves a replaced row to the end',
    cursorList({ cursor: 'offset', order: 'changed-last' }),
  ),
  wrong(
    '4.cursor.no-skips.updates',
    'moves a replaced row to the front',
    cursorList({ cursor: 'offset', order: 'changed-first' }),
  ),
  wrong('4.cursor.no-duplicates.by-price', 'goes on behind the last price', cursorList({ cursor: 'price' })),
  wrong('4.cursor.no-skips.by-price', 'goes on behind the last price', cursorList({ cursor: 'price' })),
  wrong('4.cursor.no-skips.by-price', 'loses rows of one price between two pages', losingTies),
  wrong(
    '4.filter.color-offset',
    'ignores color by page',
    ignoring('color', (request) => !byCursor(request)),
  ),
  wrong('4.filter.color-cursor', 'ignores color by cursor', ignoring('color', byCursor)),
  wrong('4.filter.color-cursor', 'lists one colour only at first', (request, right, items) =>
    cursorList({ cursor: 'offset', filter: !request.query.has('cursor') })(request, right, items),
  ),
  wrong(
    '4.sort.price-offset',
    'ignores sort by page',
    ignoring('sort', (request) => !byCursor(request)),
  ),
  wrong('4.sort.price-cursor', 'ignores sort by cursor', ignoring('sort', byCursor)),
  wrong('4.sort.price-offset', 'sorts prices as text', (request, right, items) => {
    if (!isList(request) || byCursor(request) || anonymous(request) || !request.query.has('sort'))
      return right(request);
    return offsetList(
      [...items.values()].sort((a, b) => (String(a.price) < String(b.price) ? -1 : 1)),
      request.query,
    );
  }),
];

const doneAnyway =
  (applies: (request: Request) => boolean): Step =>
  (request, right) => {
    const answer = right(request);
    if (applies(request) && request.method !== 'GET') right(withKey(request, key));
    return answer;
  };

const section5: readonly WrongService[] = [
  wrong(
    '5.missing.read',
    'lets strangers read',
    allowing((request) => anonymous(request) && request.method === 'GET'),
  ),
  wrong('5.missing.read', 'hides from strangers by 404', instead(401, { status: 404 })),
  wrong('5.missing.read', 'answers 403 without a credential', instead(401, { status: 403 }, anonymous)),
  wrong(
    '5.missing.write',
    'lets strangers write',
    allowing((request) => anonymous(request) && request.method !== 'GET'),
  ),
  wrong(
    '5.missing.write',
    'lets strangers delete',
    allowing((request) => anonymous(request) && request.method === 'DELETE'),
  ),
  wrong(
    '5.invalid.read',
    'lets any key read',
    allowing((request) => impostor(request) && request.method === 'GET'),
  ),
  wrong('5.invalid.read', 'answers 403 to a bad key', instead(401, { status: 403 }, impostor)),
  wrong(
    '5.invalid.write',
    'lets any key write',
    allowing((request) => impostor(request) && request.method !== 'GET'),
  ),
  wrong('5.refused.unchanged', 'does what it refuses a stranger', doneAnyway(anonymous)),
  wrong(
    '5.url',
    'takes the key from the URL',
    allowing((request) => anonymous(request) && request.query.get('api_key') === key),
  ),
  wrong('5.read-only.reads', 'refuses reading with the read-only key', (request, right) =>
    request.headers['x-api-key'] === 'key-that-may-read'
      ? { status: 403, body: { error: 'Not allowed.' } }
      : right(request),
  ),
  wrong('5.read-only.writes', 'answers 401 to the read-only key', instead(403, { status: 401 })),
  wrong(
    '5.read-only.writes',
    'lets the read-only key write',
    allowing(({ headers }) => headers['x-api-key'] === 'key-that-may-read'),
  ),
  wrong(
    '5.read-only.unchanged',
    'does what it refuses the read-only key',
    doneAnyway(({ headers }) => headers['x-api-key'] === 'key-that-may-read'),
  ),
];

const section7: readonly WrongService[] = [
  wrong(
    '7.error.object',
    'says message instead of error',
    errors(({ error }) => ({ body: { message: error } })),
  ),
  wrong(
    '7.error.object',
    'answers errors as a JSON text',
    errors(({ error }) => ({ body: error })),
  ),
  wrong(
    '7.error.message',
    'answers a code only',
    errors(() => ({ body: { error: 'not_possible' } })),
  ),
  wrong(
    '7.error.message',
    'answers an object as error',
    errors(({ error }) => ({ body: { error: { message: error } } })),
  ),
  wrong(
    '7.body.no-number',
    'answers the bare status',
    errors((_, status) => ({ body: status })),
  ),
  wrong(
    '7.body.no-html',
    'answers errors as pages',
    errors((_, status) => ({ text: `<!doctype html><h1>${status}</h1>` })),
  ),
  wrong(
    '7.body.no-html',
    'labels errors as pages',
    errors(() => ({ headers: { 'Content-Type': 'text/html' } })),
  ),
  {
    fails: '7.error.deterministic',
    what: 'numbers its errors',
    make: () => {
      let count = 0;
      return errors((body) => ({ body: { ...body, request_id: ++count } }));
    },
  },
  {
    fails: '7.error.deterministic',
    what: 'fails now and then',
    make: () => {
      let count = 0;
      return (request, right) => {
        const answer = right(request);
        return answer.status === 422 && ++count % 3 === 0 ? { ...answer, status: 400 } : answer;
      };
    },
  },
  wrong(
    '7.status.unknown-path',
    'answers an unknown path with 400',
    instead(404, { status: 400 }, ({ path }) => !path.startsWith('/items')),
  ),
];

const exceeded =
  (change: Partial<Answer>): Step =>
  (request, right) => {
    const answer = right(request);
    return answer.status === 429 ? { ...answer, ...change, headers: { ...answer.headers, ...change.headers } } : answer;
  };
const carrying =
  (headers: Record<string, string>): Step =>
  (request, right) => ({ ...right(request), headers });
const quota = { quota: 10 };

const section8: readonly WrongService[] = [
  wrong('8.paging.asked', 'lists everything whatever is asked for', (request, right, items) =>
    isList(request) && !anonymous(request) ? { status: 200, body: { items: [...items.values()] } } : right(request),
  ),
  wrong('8.paging.default', 'lists everything where nothing is asked for', (request, right, items) =>
    isList(request) && !anonymous(request) && request.query.size === 0
      ? { status: 200, body: { items: [...items.values()], page: 1, per_page: items.size, total: items.size } }
      : right(request),
  ),
  wrong('8.paging.default', 'lists everything, and has a quota that is large enough', (request, right, items) => {
    const answer =
      isList(request) && !anonymous(request) && request.query.size === 0
        ? { status: 200, body: { items: [...items.values()] } }
        : right(request);
    return { ...answer, headers: { ...answer.headers, 'X-RateLimit-Remaining': '900' } };
  }),
  wrong('8.quota.status', 'answers 403 over the quota', exceeded({ status: 403 }), quota),
  wrong('8.quota.status', 'answers 503 over the quota', exceeded({ status: 503 }), quota),
  wrong('8.quota.error', 'answers a page over the quota', exceeded({ text: '<h1>Slow down</h1>' }), quota),
  wrong('8.quota.error', 'says nothing over the quota', exceeded({ text: '' }), quota),
  wrong('8.retry-after', 'says to return soon', exceeded({ headers: { 'Retry-After': 'soon' } }), quota),
  wrong(
    '8.remaining.exhausted',
    'has requests left over the quota',
    exceeded({ headers: { 'X-RateLimit-Remaining': '5' } }),
    quota,
  ),
  wrong('8.headers.limit', 'tells no number as its quota', carrying({ 'X-RateLimit-Limit': 'many' })),
  wrong('8.headers.remaining', 'has fewer than none left', carrying({ 'X-RateLimit-Remaining': '-1' })),
  wrong(
    '8.headers.remaining',
    'has more left than its quota',
    carrying({ 'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '9' }),
  ),
  wrong('8.headers.reset', 'resets some time', carrying({ 'X-RateLimit-Reset': 'later' })),
];

export const wrongServices: readonly WrongService[] = [
  ...section1,
  ...section2,
  ...endpoints,
  ...rules,
  ...lists,
  ...cursors,
  ...section5,
  ...section7,
  ...section8,
];
