import { type CheckRequest, fieldsOf } from './exchange.js';
import { type Naming, type QueryName } from '../naming/naming.js';
import { FieldNames, valueAt } from './field-names.js';

const collectionPath = /^\/items(?=[/?]|$)/;

/**
 * Translates between the names of the seed specification, which all checks use, and those of the service: requests
 * before they are sent, bodies of responses before they are judged. The text of a response stays unchanged.
 */
export class Translation {
  readonly fields: FieldNames;

  constructor(readonly naming: Naming) {
    this.fields = new FieldNames(naming);
  }

  get example(): Readonly<Record<string, unknown>> {
    return this.fields.example(this.naming.create);
  }

  /** Translates paths, and names in backquotes. */
  sentence(text: string): string {
    return text
      .replaceAll(/`([^`]+)`/g, (_, name: string) => `\`${this.word(name)}\``)
      .replaceAll(/\ban `(?=[^aeiou])/g, 'a `')
      .replaceAll(/(?<![\w`/.-])\/items(?=[\s/?,.;:)]|$)/g, this.naming.collection);
  }

  request(request: CheckRequest): CheckRequest {
    return {
      ...request,
      path: this.path(request.path),
      ...('body' in request ? { body: this.fields.toTheirs(request.body) } : {}),
    };
  }

  path(path: string): string {
    const { collection, query } = this.naming;
    const parent = collection.slice(0, collection.lastIndexOf('/'));
    const [pathname = '', search] = path.split('?');
    const moved = collectionPath.test(pathname)
      ? pathname.replace(collectionPath, collection)
      : pathname.replace(/^\/no-such-collection/, `${parent}/no-such-collection`);
    if (search === undefined) return moved;
    const pairs = search.split('&').map((pair) => {
      const [name = '', value] = pair.split('=');
      const theirs = name in query ? query[name as QueryName] : this.fields.theirs(name);
      const shown = name === 'sort' && value !== undefined ? this.sortValue(value) : value;
      return shown === undefined ? theirs : `${theirs}=${shown}`;
    });
    return `${moved}?${pairs.join('&')}`;
  }

  json(request: CheckRequest, status: number, json: unknown): unknown {
    if (status < 200 || status > 299 || !collectionPath.test(request.path)) return json;
    const isList = (request.method ?? 'GET') === 'GET' && /^\/items(\?|$)/.test(request.path);
    return isList ? this.page(json) : this.fields.toOurs(json);
  }

  private page(json: unknown): unknown {
    const { member, total, nextCursor, query } = this.naming;
    const rows = (list: unknown): unknown =>
      Array.isArray(list) ? list.map((row: unknown) => this.fields.toOurs(row)) : list;
    if (Array.isArray(json)) return rows(json);
    if (typeof json !== 'object' || json === null) return json;
    const body = fieldsOf(json);
    const parts: Readonly<Record<string, unknown>> = {
      items: member === null ? undefined : rows(valueAt(body, member)),
      page: body[query.page] ?? body['page'],
      per_page: body[query.per_page] ?? body['per_page'],
      total: valueAt(body, total),
      next_cursor: valueAt(body, nextCursor),
    };
    const others = Object.entries(body).filter(([name]) => !(name in parts));
    const given = Object.entries(parts).filter(([, value]) => value !== undefined);
    return Object.fromEntries([...others, ...given]);
  }

  private sortValue(value: string): string {
    return value.replace(/^(-?)(.*)$/, (_, sign: string, field: string) => sign + this.fields.theirs(field));
  }

  private word(name: string): string {
    if (collectionPath.test(name)) return name.replace(collectionPath, this.naming.collection);
    const { query, member, nextCursor, total } = this.naming;
    const known: Readonly<Record<string, string>> = {
      ...query,
      items: member ?? 'items',
      next_cursor: nextCursor,
      total,
    };
    return (Object.hasOwn(known, name) ? known[name] : undefined) ?? this.fields.theirs(name);
  }
}
