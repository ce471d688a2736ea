import { type Exchange, fieldsOf, header } from './exchange.js';

/** Sends a DELETE. @returns The status. */
export type Delete = (path: string) => Promise<number>;

/** Paths that need no DELETE: their resources are deleted with their user, key or order. */
const deletedWithParent = /^\/(sessions|oauth)\b|\/(transitions|rotations)$/;

/** Tracks the resources of the run, so that only these are deleted. */
export class Created {
  private readonly paths = new Set<string>();
  undeletable = 0;
  readonly namesWithoutId = new Set<string>();

  note(exchange: Exchange): void {
    const { method = 'GET', path, as = 'writer', body } = exchange.request;
    // A 404 without the right credential does not prove that the resource is gone.
    if (method === 'DELETE' && (exchange.status === 204 || (exchange.status === 404 && as === 'writer')))
      this.paths.delete(path);
    const succeeded = exchange.status >= 200 && exchange.status < 300;
    if (!succeeded || deletedWithParent.test(path)) return;
    const id = method === 'POST' ? assignedId(exchange) : undefined;
    if (id !== undefined) this.remember(path, id);
    const { name } = fieldsOf(body);
    if (method === 'POST' && path === '/items' && id === undefined && typeof name === 'string')
      this.namesWithoutId.add(name);
    // A PUT may have created the resource at its path.
    if (method === 'PUT') this.paths.add(path);
  }

  remember(collection: string, id: string, name?: string): void {
    if (name !== undefined) this.namesWithoutId.delete(name);
    this.paths.add(pathOf(collection, id));
  }

  knows(collection: string, id: string): boolean {
    return this.paths.has(pathOf(collection, id));
  }

  /** Deletes the newest resources first. @returns The paths that remain. */
  async deleteAll(send: Delete): Promise<string[]> {
    const pending = [...this.paths];
    const worker = async (): Promise<void> => {
      for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
        const status = await send(path).catch(() => 0);
        // 405: this service cannot delete the resource, such as an order.
        if (status === 405) this.undeletable++;
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

export function assignedId(exchange: Exchange): string | undefined {
  const body = fieldsOf(exchange.json);
  for (const { id } of [body, fieldsOf(body['item']), fieldsOf(body['data'])]) {
    if (typeof id === 'string' && id !== '') return id;
    if (typeof id === 'number') return String(id);
  }
  const last = header(exchange, 'location')?.split('/').at(-1);
  return last === undefined || last === '' ? undefined : decodeURIComponent(last);
}
