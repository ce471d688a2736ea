import { readFileSync } from 'node:fs';

import type { ListFilter, ListRequest, SortKey } from '@items/paging';
import type { Database, SqlValue, ValueReader } from '../database/database.js';
import { Sqlite } from '../sqlite/sqlite.js';

import { CollectionReader } from '../collections/collection-reader.js';
import { sealOf } from '../lists/cursors.js';
import { Totals } from '../lists/totals.js';
import { unboundedSteps } from './bounded-plans.testing.js';
import { describeOnBothDatabases } from './database.testing.js';
import { withMethods } from './interleaved.testing.js';
import { type Item, itemCollection } from './item-collection.testing.js';
import { addManyItems, COLORS, itemAt } from './many-items.testing.js';
import { expectedList, type ItemRow } from './oracle.testing.js';

/** `CHECK_READS=1000000 npx jest bounded-reads -t SQLite` also checks durations. */
const CHECKED = process.env['CHECK_READS'];
/** Enough for the middle to be far from both ends. */
const ROWS = Number(CHECKED ?? 22_000);
const LIMIT_MS = 3_600_000;
const MAX_MAIN_THREAD_MS = 50;
const MAX_RESPONSE_MS = 5000;
/** Lists that take longer are read once. */
const REPEATED_MS = 300;

const asc = (field: string): SortKey => ({ field, descending: false });
const desc = (field: string): SortKey => ({ field, descending: true });
const ONE_KEY: SortKey[][] = [
  [],
  ...['name', 'color', 'price', 'created_at', 'updated_at'].flatMap((field) => [[asc(field)], [desc(field)]]),
];
const SEVERAL_KEYS = [
  [asc('color'), desc('name'), asc('price')],
  [desc('created_at'), asc('name')],
  [desc('price'), desc('updated_at')],
];
const SORTS = [...ONE_KEY, ...SEVERAL_KEYS];
const FILTERS: ListFilter[] = [{}, { color: ['red'] }, { color: COLORS.slice(0, 32).sort() }];

interface Asked {
  readonly where: string;
  readonly request: ListRequest;
}

interface Answer {
  readonly ids: readonly string[];
  readonly cursor: string | undefined;
  readonly total: number | undefined;
  readonly code: string | undefined;
  readonly isSlow: boolean;
  /** Statements of the main thread. */
  readonly statements: readonly string[];
  readonly cpuMs: number;
  readonly wallMs: number;
}

describeOnBothDatabases('SPEC §4.1: no list holds up the main thread', (under) => {
  let state: readonly ItemRow[];
  let reader: CollectionReader<Item>;
  let statements: string[];
  let slowReads: number;

  beforeAll(async () => {
    if (CHECKED !== undefined && under.database.dialect !== 'sqlite') return;
    if (under.config.dialect === 'sqlite')
      await withoutIndexes(under.config.file, () => addManyItems(under.database, ROWS));
    else await addManyItems(under.database, ROWS);
    state = CHECKED === undefined ? Array.from({ length: ROWS }, (_, index) => itemAt(index)) : [];
    const { columns } = itemCollection;
    const policy = { seals: [sealOf('a secret of this test')], ttlMs: 3_600_000 };
    const totals = new Totals('items', itemCollection.countedFilters);
    reader = new CollectionReader(watched(under.database), itemCollection, columns, totals, policy);
  }, LIMIT_MS);

  /** Records the statements of the main thread. */
  function watched(database: Database): Database {
    const recording =
      (read: 'query' | 'readValues') =>
      (sql: string, params?: readonly SqlValue[]): unknown => {
        statements.push(sql);
        return database[read](sql, params);
      };
    const readSlowly = (caller: string, work: (slow: ValueReader) => unknown): unknown => {
      slowReads += 1;
      return database.readSlowly(caller, work);
    };
    return withMethods(database, { query: recording('query'), readValues: recording('readValues'), readSlowly });
  }

  async function ask(request: ListRequest): Promise<Answer> {
    statements = [];
    slowReads = 0;
    const [cpuBegan, wallBegan] = [mainThreadMs(), performance.now()];
    const answer: Pick<Answer, 'ids' | 'cursor' | 'total' | 'code'> = {
      ...{ ids: [], cursor: undefined, total: undefined, code: undefined },
    };
    try {
      const { body, json } = await reader.list(request, '/items');
      JSON.parse(String(json));
      const page = body as unknown as { items: Item[]; next_cursor?: string; total?: number };
      Object.assign(answer, { ids: page.items.map(({ id }) => id), cursor: page.next_cursor, total: page.total });
    } catch (error) {
      Object.assign(answer, { code: (error as { code: string }).code });
    }
    const times = { cpuMs: mainThreadMs() - cpuBegan, wallMs: performance.now() - wallBegan };
    return { ...answer, ...times, isSlow: slowReads > 0, statements: [...new Set(statements)] };
  }

  /** Returns pages of a list that differ in their cost. */
  async function pagesOf(sort: readonly SortKey[], filter: ListFilter): Promise<Asked[]> {
    const total = (await ask({ style: 'offset', page: 2 ** 53 - 1, perPage: 1, sort, filter })).total ?? 0;
    const asked: Asked[] = [];
    for (const size of CHECKED === undefined ? [20] : [20, 100]) {
      const last = Math.ceil(total / size);
      const pages = { first: 1, near: Math.floor(150 / size) + 1, middle: Math.ceil(last / 2), last, past: last + 1 };
      for (const [where, page] of Object.entries(pages)) {
        asked.push({
          where: `${where} page of ${String(size)}`,
          request: { style: 'offset', page, perPage: size, sort, filter },
        });
      }
      const begin: ListRequest = { style: 'cursor', limit: size, sort, filter };
      const { cursor } = await ask(begin);
      asked.push({ where: `beginning of ${String(size)}`, request: begin });
      if (cursor !== undefined) asked.push({ where: `walk by ${String(size)}`, request: { ...begin, cursor } });
    }
    return asked;
  }

  const lists = SORTS.flatMap((sort) => FILTERS.map((filter) => ({ name: nameOf(sort, filter), sort, filter })));

  it.each(lists)(
    '$name',
    async ({ sort, filter }) => {
      if (CHECKED !== undefined && under.database.dialect !== 'sqlite') return;
      // A key that the filter fixes does not affect the order.
      const free = sort.filter(({ field }) => filter[field]?.length !== 1);
      const expected = expectedList(state, { sort: free.length === 0 ? [asc('created_at')] : free, filter });
      for (const { where, request } of await pagesOf(sort, filter)) {
        const answer = await ask(request);
        expect({ where, ...judged(answer, Object.keys(filter)[0]) }).toEqual({ where, unbounded: [], code: undefined });
        if (where.startsWith('past')) expect([where, answer.isSlow, answer.ids]).toEqual([where, false, []]);
        else if (sort.length > 1) expect([where, answer.isSlow]).toEqual([where, true]);
        else if (!/middle|last/.test(where)) expect([where, answer.isSlow]).toEqual([where, false]);
        else if (where.startsWith('middle') && FILTERS.indexOf(filter) === 0) expect(answer.isSlow).toBe(true);
        if (CHECKED === undefined)
          expect({ where, ids: answer.ids }).toEqual({ where, ids: idsOf(expected, request, where) });
        else await judgeTimes(where, request, answer);
      }
    },
    LIMIT_MS,
  );

  function judged(
    { statements, code }: Answer,
    filter: string | undefined,
  ): { unbounded: string[]; code: string | undefined } {
    // The times of the long check depend on its machine.
    const known = CHECKED !== undefined && code === 'too_slow' ? undefined : code;
    if (under.config.dialect !== 'sqlite') return { unbounded: [], code: known };
    const connection = new Sqlite(under.config.file, { readonly: true });
    const unbounded = statements.flatMap((sql) =>
      / items\b/.test(sql) ? unboundedSteps(connection, sql, filter).map((step) => `${step} in ${sql}`) : [],
    );
    connection.close();
    return { unbounded, code: known };
  }

  async function judgeTimes(where: string, request: ListRequest, first: Answer): Promise<void> {
    const answers = [first];
    while (answers.length < 5 && first.wallMs < REPEATED_MS) answers.push(await ask(request));
    const times = answers.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
    expect({ where, isLong: (times[times.length >> 1] ?? 0) > MAX_MAIN_THREAD_MS }).toEqual({ where, isLong: false });
    expect({ where, isLate: first.wallMs > MAX_RESPONSE_MS }).toEqual({ where, isLate: false });
  }
});

function nameOf(sort: readonly SortKey[], filter: ListFilter): string {
  const keys = sort.map(({ field, descending }) => `${descending ? '-' : ''}${field}`).join();
  const { length } = filter['color'] ?? [];
  return `sort=${keys}, ${String(length)} colors`;
}

function idsOf(expected: readonly ItemRow[], request: ListRequest, where: string): string[] {
  const ids = expected.map(({ id }) => id);
  if (request.style === 'offset')
    return ids.slice((request.page - 1) * request.perPage, request.page * request.perPage);
  return where.startsWith('walk') ? ids.slice(request.limit, 2 * request.limit) : ids.slice(0, request.limit);
}

/** CPU time of this thread alone. */
function mainThreadMs(): number {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };
  if (threadCpuUsage !== undefined) {
    const { user, system } = threadCpuUsage.call(process);
    return (user + system) / 1000;
  }
  const [ns = '0'] = readFileSync(`/proc/self/task/${String(process.pid)}/schedstat`, 'utf8').split(' ');
  return Number(ns) / 1e6;
}

/** Creates the indexes after the rows, because inserting a million rows in random order takes too long with them. */
async function withoutIndexes(file: string, work: () => Promise<void>): Promise<void> {
  const connection = new Sqlite(file);
  const indexes = connection
    .prepare<readonly [], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'items' AND sql IS NOT NULL",
    )
    .all();
  for (const { name } of indexes) connection.exec(`DROP INDEX ${name}`);
  await work();
  for (const { sql } of indexes) connection.exec(sql);
  connection.close();
}
