import { type Exchange, fieldsOf, header } from './exchange.js';

/** Sends a request for the cleaning up; only its status matters. */
export type Delete = (path: string) => Promise<number>;

/** What goes with its user, key or order. */
const endsByItself = /^\/(sessions|oauth)\b|\/(transitions|rotations)$/;

/** What the run has created, so that this, and nothing else, is deleted again. */
export class Created {
  private readonly paths = new Set<string>();
  /** How many there are that no client of this service can delete. */
  kept = 0;
  /** Names of items whose id no answer has told yet. */
  readonly untold = new Set<string>();

  /** Notes what an answer says to have been created or deleted. */
  note(exchange: Exchange): void {
    const { method = 'GET', path } = exchange.ask;
    const succeeded = exchange.status >= 200 && exchange.status < 300;
    const { as = 'writer' } = exchange.ask;
    // What is hidden from a stranger may still be there.
    if (method === 'DELETE' && (exchange.status === 204 || (exchange.status === 404 && as === 'writer')))
      this.paths.delete(path);
    if (!succeeded) return;
    if (endsByItself.test(path)) return;
    const id = method === 'POST' ? assignedId(exchange) : undefined;
    if (id !== undefined) this.remember(path, id);
    const { name } = fieldsOf(exchange.ask.body);
    if (method === 'POST' && path === '/items' && id === undefined && typeof name === 'string') this.untold.add(name);
    // It may have created what was not there.
    if (method === 'PUT') this.paths.add(path);
  }

  remember(collection: string, id: string, name?: string): void {
    if (name !== undefined) this.untold.delete(name);
    this.paths.add(pathOf(collection, id));
  }

  /** Whether this resource is remembered. */
  knows(collection: string, id: string): boolean {
    return this.paths.has(pathOf(collection, id));
  }

  /** Deletes it all, the newest first; answers the paths that are left. */
  async deleteAll(send: Delete): Promise<string[]> {
    const pending = [...this.paths];
    const worker = async (): Promise<void> => {
      for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
        const status = await send(path).catch(() => 0);
        // 405: what no client can delete, such as an order, stays.
        if (status === 405) this.kept++;
        if (status === 404 || status === 405 || (status >= 200 && status < 300)) this.paths.delete(path);
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    return [...this.paths];
  }
}

function pathOf(collection: string, id: string): string {
  return `${String(collection.split('?', 1)[0])}/${encodeURIComponent(id)}`;
}

/** The id of a new resource, as its path needs it: from the body, else from `Location`. */
export function assignedId(exchange: Exchange): string | undefined {
  const body = fieldsOf(exchange.json);
  for (const { id } of [body, fieldsOf(body['item']), fieldsOf(body['data'])]) {
    if (typeof id === 'string' && id !== '') return id;
    if (typeof id === 'number') return String(id);
  }
  const last = header(exchange, 'location')?.split('/').at(-1);
  return last === undefined || last === '' ? undefined : decodeURIComponent(last);
}
