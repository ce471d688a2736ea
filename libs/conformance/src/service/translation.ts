import { type Ask, fieldsOf } from './exchange.js';
import { type Naming, type QueryName } from '../naming/naming.js';

const collectionPath = /^\/items(?=[/?]|$)/;

/**
 * Between the words of the specification, in which all checks ask and read, and those of the service. Requests are turned
 * before they go out, bodies of answers before they are judged; their text stays as it came.
 */
export class Translation {
  /** Fields of rows: the specification's name → the service's. A permutation, so that it can be turned back. */
  private readonly fields: ReadonlyMap<string, string>;
  private readonly back: ReadonlyMap<string, string>;

  constructor(readonly naming: Naming) {
    const { required, filter, sort } = naming;
    this.fields = permutation([
      ['name', required],
      ...(filter === undefined ? [] : [['color', filter.name] as const]),
      ...(sort === undefined ? [] : [['price', sort] as const]),
    ]);
    this.back = new Map([...this.fields].map(([ours, theirs]) => [theirs, ours]));
  }

  /** The specification's name of a field of the service. */
  ours(field: string): string {
    return this.back.get(field) ?? field;
  }

  /** The service's name of a field of the specification. */
  theirs(field: string): string {
    return this.fields.get(field) ?? field;
  }

  /** A request in the service's words. */
  request(ask: Ask): Ask {
    return {
      ...ask,
      path: this.path(ask.path),
      ...('body' in ask ? { body: this.renamed(ask.body, this.fields) } : {}),
    };
  }

  /** A path with its query, in the service's words. */
  path(path: string): string {
    const { collection, query } = this.naming;
    const parent = collection.slice(0, collection.lastIndexOf('/'));
    const [place = '', search] = path.split('?');
    const moved = collectionPath.test(place)
      ? place.replace(collectionPath, collection)
      : place.replace(/^\/no-such-collection/, `${parent}/no-such-collection`);
    if (search === undefined) return moved;
    const pairs = search.split('&').map((pair) => {
      const [name = '', value] = pair.split('=');
      const theirs = name in query ? query[name as QueryName] : this.theirs(name);
      const shown = name === 'sort' && value !== undefined ? this.sortValue(value) : value;
      return shown === undefined ? theirs : `${theirs}=${shown}`;
    });
    return `${moved}?${pairs.join('&')}`;
  }

  /** The JSON of an answer in the specification's words. */
  json(ask: Ask, status: number, json: unknown): unknown {
    if (status < 200 || status > 299 || !collectionPath.test(ask.path)) return json;
    const isList = (ask.method ?? 'GET') === 'GET' && /^\/items(\?|$)/.test(ask.path);
    return isList ? this.page(json) : this.renamed(json, this.back);
  }

  private page(json: unknown): unknown {
    const { member, total, nextCursor, query } = this.naming;
    const rows = (list: unknown): unknown =>
      Array.isArray(list) ? list.map((row: unknown) => this.renamed(row, this.back)) : list;
    if (Array.isArray(json)) return rows(json);
    if (typeof json !== 'object' || json === null) return json;
    const body = fieldsOf(json);
    const parts: Readonly<Record<string, unknown>> = {
      items: member === null ? undefined : rows(at(body, member)),
      page: body[query.page] ?? body['page'],
      per_page: body[query.per_page] ?? body['per_page'],
      total: at(body, total),
      next_cursor: at(body, nextCursor),
    };
    const others = Object.entries(body).filter(([name]) => !(name in parts));
    const given = Object.entries(parts).filter(([, value]) => value !== undefined);
    return Object.fromEntries([...others, ...given]);
  }

  private sortValue(value: string): string {
    return value.replace(/^(-?)(.*)$/, (_, sign: string, field: string) => sign + this.theirs(field));
  }

  private renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [names.get(name) ?? name, one]));
  }
}

/** The value at a dotted path. */
function at(body: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => fieldsOf(value)[name], body);
}

/** Where two names meet in one field, the first of them has it; what is pushed out takes the place that became free. */
function permutation(wanted: readonly (readonly [string, string])[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const [ours, theirs] of wanted) if (![...names.values()].includes(theirs)) names.set(ours, theirs);
  const free = [...names.keys()].filter((ours) => ![...names.values()].includes(ours));
  for (const theirs of [...names.values()]) if (!names.has(theirs)) names.set(theirs, free.shift() ?? theirs);
  return names;
}
