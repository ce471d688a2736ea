import { type Findings } from '../discovery/findings.js';
import { assignedId, type Created } from '../service/created.js';
import { type Exchange, fieldsOf, post } from '../service/exchange.js';
import { type Service } from '../service/service.js';
import { NotApplicable } from '../verdict.js';
import { idOf, rowsOf } from '../pages/walk.js';

export interface OwnItem {
  readonly id: string;
  readonly path: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly created: Exchange;
}

/** Creates the items of the run. If the service refuses one, only the checks of creation fail. */
export class OwnItems {
  /** Approximate number of rows of the run, because other requests may delete some. */
  count = 0;

  constructor(
    private readonly service: Service,
    private readonly found: Findings,
    private readonly created: Created,
    private readonly word: (prefix: string) => string,
  ) {}

  /** @throws {NotApplicable} The service refuses the item, or its response has no id. */
  async create(fields: Readonly<Record<string, unknown>> = {}): Promise<OwnItem> {
    const content: Record<string, unknown> = { ...this.content(), ...fields };
    const exchange = await this.service.send(post('/items', content));
    if (exchange.status < 200 || exchange.status > 299) throw new NotApplicable('no item could be created');
    const id = assignedId(exchange) ?? (await this.idOfNamed(content['name']));
    if (id === undefined) throw new NotApplicable('the id of the new item is unknown');
    this.count += 1;
    return { id, path: `/items/${encodeURIComponent(id)}`, content, created: exchange };
  }

  async createMany(wanted: number | readonly Readonly<Record<string, unknown>>[]): Promise<OwnItem[]> {
    const items: OwnItem[] = [];
    const contents = typeof wanted === 'number' ? Array.from({ length: wanted }, () => ({})) : wanted;
    for (const fields of contents) items.push(await this.create(fields));
    return items;
  }

  replace(item: Pick<OwnItem, 'path'>, fields: Readonly<Record<string, unknown>> = {}): Promise<Exchange> {
    return this.service.send({ method: 'PUT', path: item.path, body: { ...this.content(), ...fields } });
  }

  async delete(item: Pick<OwnItem, 'path'>): Promise<Exchange> {
    const deleted = await this.service.send({ method: 'DELETE', path: item.path });
    if (deleted.status >= 200 && deleted.status < 300) this.count -= 1;
    return deleted;
  }

  /** Content that the service accepts for a new item. */
  content(): Record<string, unknown> {
    const own = this.found.has('name.text') ? { name: this.word('conformance') } : {};
    return { ...this.found.required, ...this.service.translation.example, ...own };
  }

  private async idOfNamed(name: unknown): Promise<string | undefined> {
    for (const path of ['/items', '/items?per_page=100', '/items?limit=100']) {
      const row = rowsOf(await this.service.get(path)).find(
        (one) => fieldsOf(one)['name'] === name && !this.created.knows('/items', idOf(one)),
      );
      if (row === undefined) continue;
      this.created.remember('/items', idOf(row), String(name));
      return idOf(row);
    }
    return undefined;
  }
}
