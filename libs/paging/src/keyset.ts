import { type CursorPage, ExpiredCursorError, type OffsetPage } from '@items/conventions';
import { toBase64Url } from './base64url.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { KeysetOrder, type KeysetQuery, type RowKey } from './keyset-order.js';
import { cursorLinks, linkHeader, offsetLinks, type PageLinks } from './link-header.js';
import type { CursorRequest, ListRequest, OffsetRequest, SortKey } from './list-request.js';
import type { ListRequestAt } from './parse-list-url.js';
import { type Mac, sealBy } from './seal.js';
import { toUtf8 } from './utf8.js';

export interface KeysetOptions<Name extends string> {
  /** Authenticates cursors: HMAC-SHA-256 with a secret that all processes share. */
  readonly mac: Mac;
  /** Lifetime of a cursor, in seconds. */
  readonly ttl: number;
  /** Name of the list in the body. Default: `items`. */
  readonly name?: Name;
  /** Property that gives the creation order. Default: the id. */
  readonly createdAt?: string;
  /** Milliseconds since the epoch. Default: the clock. */
  readonly now?: () => number;
}

export interface KeysetPage<Name extends string, Row> {
  readonly body: OffsetPage<Name, Row> | CursorPage<Name, Row>;
  /** Undefined without links. RFC 8288 */
  readonly link: string | undefined;
}

/**
 * Reads one page of a TypeORM query in the requested style, with filters, a total order (nulls last, ties by id) and
 * signed cursors. Sorts and filters are named like properties of the entity. A walk by cursor lists the rows that
 * existed when it began. Except in creation order, a row whose sort key changes during the walk may come twice or not
 * at all. The total and the rows of an offset page are two statements. Collections of `@items/service` promise more
 * (SPEC §4), with additional columns.
 * @param query Of one entity with a primary key of one column, without joins that multiply its rows. It is not changed.
 *   Put `OR` conditions in brackets.
 * @param request From `parseListQuery`, `parseListUrl` or `@ListQuery()`.
 * @throws {InvalidCursorError} 400: forged, truncated, or from another list, filter or sort.
 * @throws {ExpiredCursorError} 400: older than `ttl`.
 * @throws {Error} A fault of the caller: a range, or a sort or filter without a property.
 * @example
 * const { body, link } = await keyset(cats.createQueryBuilder('cat'), request, { mac, ttl: 3600, name: 'cats' });
 */
export async function keyset<Row extends object, Name extends string = 'items'>(
  query: KeysetQuery<Row>,
  request: ListRequest & Partial<Pick<ListRequestAt, 'path' | 'pairs'>>,
  options: KeysetOptions<Name>,
): Promise<KeysetPage<Name, Row>> {
  const { createdAt } = options;
  const chosen = query.clone();
  for (const [field, values] of Object.entries(request.filter)) {
    chosen.andWhere(`${query.alias}.${field} IN (:...filter_${field})`, { [`filter_${field}`]: values });
  }
  const creation = createdAt === undefined ? [] : [{ field: createdAt, descending: false }];
  const order = new KeysetOrder(query, request.sort.length > 0 ? request.sort : creation, 'key');
  const { links, ...page } =
    request.style === 'offset'
      ? await offsetPage(chosen, request, order)
      : await cursorPage(chosen, request, { order, created: new KeysetOrder(query, creation, 'end') }, options);
  const { rows, ...numbers } = page;
  const body = { [options.name ?? 'items']: rows, ...numbers } as unknown as KeysetPage<Name, Row>['body'];
  return { body, link: linkHeader(request.path ?? '', request.pairs ?? pairsOf(request), links) };
}

async function offsetPage<Row extends object>(
  query: KeysetQuery<Row>,
  { page, perPage }: OffsetRequest,
  order: KeysetOrder<Row>,
): Promise<{ rows: readonly Row[]; page: number; per_page: number; total: number; links: PageLinks }> {
  const total = await query.getCount();
  const skipped = (page - 1) * perPage;
  order.applyTo(query);
  // No query past the end: a database may refuse an offset of 2^53, or scan all rows before it.
  const rows = skipped >= total ? [] : await query.offset(skipped).limit(perPage).getMany();
  return { rows, page, per_page: perPage, total, links: offsetLinks({ page, perPage, total }) };
}

async function cursorPage<Row extends object>(
  query: KeysetQuery<Row>,
  request: CursorRequest & { readonly path?: string },
  { order, created }: { readonly order: KeysetOrder<Row>; readonly created: KeysetOrder<Row> },
  { mac, ttl, now = Date.now }: KeysetOptions<string>,
): Promise<{ rows: readonly Row[]; limit: number; next_cursor?: string; links: PageLinks }> {
  const { limit, cursor } = request;
  if (request.range !== undefined) throw new Error('keyset() serves no ranges: leave "ranges" out of its rules.');
  const seal = sealBy(mac);
  const fingerprint = fingerprintOf(query, request, mac);
  // The walk ends with the row that was newest at its first page, because fast inserts could make it endless.
  let end: RowKey | undefined;
  if (cursor === undefined) {
    end = await created.lastKeyOf(query);
  } else {
    const { issuedAtMs, key } = decodeCursor(cursor, fingerprint, [seal]);
    if (issuedAtMs + ttl * 1000 <= now()) throw new ExpiredCursorError();
    end = key.slice(order.length);
    order.startAfter(query, key.slice(0, order.length));
  }
  if (end !== undefined) created.endAt(query, end);
  order.applyTo(query);
  order.selectKeysIn(query);
  // Reads one more row, which shows whether there is a next page.
  const { entities, raw } = await query.limit(limit + 1).getRawAndEntities();
  if (raw.length !== entities.length) throw new Error('keyset(): a join multiplies the rows of the query.');
  const last = entities.length > limit ? raw[limit - 1] : undefined;
  const key = last && [...order.keyIn(last), ...(end ?? [])];
  const walk = { fingerprint, issuedAtMs: now(), snapshot: [0], epoch: '', id: '' };
  const nextCursor = key && encodeCursor({ ...walk, key }, seal);
  return {
    rows: entities.slice(0, limit),
    limit,
    ...(nextCursor !== undefined && { next_cursor: nextCursor }),
    links: cursorLinks({ limit, nextCursor }),
  };
}

/** Short hash of table, path, sort and filter, so that no other list accepts the cursor. */
function fingerprintOf(
  { expressionMap }: KeysetQuery<object>,
  { path, sort, filter }: CursorRequest & { readonly path?: string },
  mac: Mac,
): string {
  const bound = [expressionMap.mainAlias?.metadata.tablePath, path, sort, filter];
  return toBase64Url(mac(toUtf8(JSON.stringify(bound))).subarray(0, 9));
}

function pairsOf({ sort, filter }: ListRequest): readonly (readonly [string, string])[] {
  const filters = Object.entries(filter).map(([name, values]) => [name, values.join(',')] as const);
  const keys = sort.map(({ field, descending }: SortKey) => `${descending ? '-' : ''}${field}`);
  return keys.length === 0 ? filters : [...filters, ['sort', keys.join(',')]];
}
