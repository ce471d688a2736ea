import { createServer, type Server } from 'node:http';

/*
 * The seed specification as one small service, without headers or error codes of our own, and without a framework. Each
 * wrong service of the tests is this service with a single wrong step.
 */

export type Item = { id: string; name: string; color?: string; price?: number };
export type Request = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  raw: string;
  connection: object;
};
export type Answer = {
  status: number;
  body?: unknown;
  text?: string;
  headers?: Record<string, string>;
  /** No response: the connection is closed, or the whole service ends. */
  drops?: 'connection' | 'service';
};
export type Handler = (request: Request) => Answer;

export interface Offers {
  readonly styles: readonly ('offset' | 'cursor')[];
  readonly fields: readonly string[];
  readonly key?: string;
  readonly readOnlyKey?: string;
  readonly quota?: number;
  readonly idFrom?: (count: number) => string;
  /** Requests for these ids get 400. */
  readonly malformedId?: RegExp;
  readonly largestPage?: number;
}

export const everything: Offers = {
  styles: ['offset', 'cursor'],
  fields: ['name', 'color', 'price'],
  key: 'key-that-may-write',
  readOnlyKey: 'key-that-may-read',
};

const failure = (status: number, error: string): Answer => ({ status, body: { error } });

/** The data are in `items`, so that a wrong service can change them. */
export function rightService(offers: Offers, items: Map<string, Item>): Handler {
  let made = 0;
  let asked = { second: 0, count: 0 };

  function access({ method, headers }: Request): Answer | undefined {
    if (offers.key === undefined) return undefined;
    const key = headers['x-api-key'];
    if (key === offers.key || (key === offers.readOnlyKey && method === 'GET')) return undefined;
    return key === offers.readOnlyKey && key !== undefined
      ? failure(403, 'This key may only read.')
      : failure(401, 'Send a valid API key in the header X-API-Key.');
  }

  function content(raw: string): Answer | Omit<Item, 'id'> {
    let body: unknown;
    try {
      body = JSON.parse(raw);
    } catch {
      return failure(400, 'The body is not valid JSON.');
    }
    const { name } = Object(body) as Partial<Item>;
    if (typeof name !== 'string') return failure(422, 'The field name is required.');
    const known = Object.entries(body as object).filter(([field]) => offers.fields.includes(field));
    return Object.fromEntries(known) as Omit<Item, 'id'>;
  }

  function list(query: URLSearchParams): Answer {
    const color = offers.fields.includes('color') ? query.get('color') : null;
    const sorted = [...items.values()].filter((item) => color === null || item.color === color);
    if (query.get('sort') === 'name') sorted.sort((a, b) => (a.name < b.name ? -1 : 1));
    if (query.get('sort') === 'price') sorted.sort((a, b) => (a.price ?? Infinity) - (b.price ?? Infinity));
    const byCursor = !offers.styles.includes('offset') || query.has('limit') || query.has('cursor');
    return byCursor && offers.styles.includes('cursor') ? cursorPage(sorted, query) : offsetPage(sorted, query);
  }

  function offsetPage(sorted: Item[], query: URLSearchParams): Answer {
    const page = Number(query.get('page') ?? 1);
    const perPage = Math.min(Number(query.get('per_page') ?? 20), offers.largestPage ?? 100);
    const rows = sorted.slice((page - 1) * perPage, page * perPage);
    return { status: 200, body: { items: rows, page, per_page: perPage, total: sorted.length } };
  }

  /** The cursor contains the remaining ids: it is large, but exact without any state. */
  function cursorPage(sorted: Item[], query: URLSearchParams): Answer {
    const limit = Math.min(Number(query.get('limit') ?? 20), offers.largestPage ?? 100);
    const cursor = query.get('cursor');
    const ids = cursor === null ? sorted.map(({ id }) => id) : Buffer.from(cursor, 'base64url').toString().split(' ');
    const rest = ids.slice(limit);
    const rows = ids.slice(0, limit).flatMap((id) => items.get(id) ?? []);
    const next = rest.length > 0 ? { next_cursor: Buffer.from(rest.join(' ')).toString('base64url') } : {};
    return { status: 200, body: { items: rows, ...next } };
  }

  function collection({ method, query, raw }: Request): Answer {
    if (method === 'GET') return list(query);
    if (method !== 'POST') return failure(405, `${method} is not supported on /items.`);
    const input = content(raw);
    if ('status' in input) return input;
    const id = (offers.idFrom ?? String)(++made);
    const item = { ...input, id };
    items.set(id, item);
    return { status: 201, body: item };
  }

  function single(id: string, { method, raw }: Request): Answer {
    if (!['GET', 'PUT', 'DELETE'].includes(method)) return failure(405, `${method} is not supported on an item.`);
    const item = items.get(id);
    const input = method === 'PUT' ? content(raw) : undefined;
    if (input && 'status' in input) return input;
    if (offers.malformedId?.test(id)) return failure(400, 'An id is a number.');
    if (!item) return failure(404, 'There is no such item.');
    if (method === 'DELETE') items.delete(id);
    if (method === 'DELETE') return { status: 204 };
    if (input) items.set(id, { ...input, id });
    return { status: 200, body: items.get(id) };
  }

  function overQuota(): Answer | undefined {
    if (offers.quota === undefined) return undefined;
    const second = Math.floor(Date.now() / 1000);
    asked = { second, count: asked.second === second ? asked.count + 1 : 1 };
    if (asked.count <= offers.quota) return undefined;
    const headers = { 'Retry-After': '1', 'X-RateLimit-Limit': String(offers.quota), 'X-RateLimit-Remaining': '0' };
    return { ...failure(429, 'Too many requests: come back in a second.'), headers };
  }

  return (request) => {
    const [, name, id, ...more] = request.path.split('/');
    if (name !== 'items' || more.length > 0) return failure(404, 'There is nothing at this address.');
    const refused = overQuota() ?? access(request);
    return refused ?? (id === undefined ? collection(request) : single(decodeURIComponent(id), request));
  };
}

/** Returns 500 if the step of a wrong service throws an error. */
function answered(answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    return failure(500, String(error));
  }
}

/** Listens on a free port of this machine. */
export async function serve(handler: Handler): Promise<{ url: string; stop: () => Promise<void> }> {
  const server: Server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { pathname: path, searchParams: query } = new URL(incoming.url ?? '', 'http://localhost');
      const { method = '', headers, socket } = incoming;
      const raw = Buffer.concat(chunks).toString();
      const answer = answered(() => handler({ method, path, query, headers, raw, connection: socket }));
      if (answer.drops !== undefined) incoming.socket.destroy();
      if (answer.drops === 'service') server.close();
      if (answer.drops === 'service') server.closeAllConnections();
      if (answer.drops !== undefined) return;
      const text = answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body));
      response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  };
}
