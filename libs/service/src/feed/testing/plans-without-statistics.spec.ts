import { askPostgres, createDatabase, postgresUnderTest } from '@items/testing';
import type pg from 'pg';

import type { Database } from '../../data/database/database.js';

import type { EventsRequest } from '../event-feed.js';
import { firstIdAt, timeOf } from '../event-id.js';
import { EventPurge } from '../event-purge.js';
import { AuditPurge } from '../audit/audit-purge.js';
import { readEntries } from '../feed-entries.js';
import { AUDIT_EVENTS, EVENTS } from '../feed-table.js';
import type { Visibility } from '../visibility.js';
import { recordStatements, pagesRead, planningClient, type Asked } from './asked.testing.js';
import { ALL, AUDITED, DAY_MS, KINDS, Library, openLibrary } from './library.testing.js';
import { addManyEvents } from './many-events.testing.js';

const LOAN = '01890000-0000-7000-8000-000000000001';
const READER = '01890000-0000-7000-8000-000000000002';
const OTHER = '01890000-0000-7000-8000-000000000003';
const COUNT = 60_000;
const MICROS_APART = 5;
/** With this length, the events are in three or four partitions. */
const PARTITION_MS = 100;
/** Number of partitions, which is enough for a slow machine. */
const PARTITIONS = 20;
/** Enough to read 1000 rows and an index of each partition. The table has more than 900 pages. */
const MAX_PAGES = 150;

const TABLES = `SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND relname LIKE '%events%'`;

(postgresUnderTest() === undefined ? describe.skip : describe)('Feeds on a PostgreSQL without statistics', () => {
  let url: string;
  let drop: () => Promise<void>;
  let database: Database;
  let library: Library;
  let client: pg.Client;
  const asked: Asked[] = [];
  /** Positions before, among and after the events. */
  const positions: string[] = [];

  beforeAll(async () => {
    ({ url, drop } = await createDatabase());
    const opened = await openLibrary({ dialect: 'postgres', url });
    database = recordStatements(opened, asked);
    library = await Library.begun(database, AUDITED);
    await askPostgres(url, partitionsFrom(Date.now()));
    const typeSql = `CASE WHEN n % 20000 = 7 THEN 'loan.lost' ELSE 'loan.created' END`;
    const many = { count: COUNT, objectId: LOAN, ownerId: READER, typeSql, microsApart: MICROS_APART };
    positions.push(await addManyEvents(opened, library, many));
    for (const part of [0.5, 0.99]) {
      const [row] = await opened.query<{ id: string }>(
        `SELECT id FROM events ORDER BY id OFFSET ${String(Math.floor(COUNT * part))} LIMIT 1`,
      );
      positions.push(row?.id ?? '');
    }
    // Undoes the statistics that the migration made.
    await askPostgres(url, `DELETE FROM pg_statistic WHERE starelid IN (${TABLES})`);
    await askPostgres(url, `UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE oid IN (${TABLES})`);
    client = await planningClient(url);
  });
  afterAll(async () => {
    await client.end();
    await database.close();
    await drop();
  });

  const own: Visibility = { all: [], own: KINDS, userId: READER };

  /** Runs each statement of the work again. @returns The statements that read too many pages, and how many. */
  async function expensive(work: () => Promise<unknown>): Promise<string[]> {
    asked.length = 0;
    await work();
    const ofFeeds = asked.filter(({ sql }) => / FROM (audit_)?events/.test(sql));
    expect(ofFeeds).not.toEqual([]);
    const found: string[] = [];
    for (const each of ofFeeds) {
      const pages = await pagesRead(client, each);
      if (pages > MAX_PAGES) found.push(`${String(pages)} pages: ${each.sql}`);
    }
    return found;
  }

  it('the table has no statistics, and enough rows', async () => {
    expect(await askPostgres(url, "SELECT 1 FROM pg_stats WHERE tablename LIKE '%events%'")).toEqual([]);
    const [table] = await askPostgres<{ pages: string; parts: string }>(
      url,
      `SELECT sum(pg_relation_size(inhrelid) / 8192) AS pages,
         count(*) FILTER (WHERE pg_relation_size(inhrelid) > 100000) AS parts
       FROM pg_inherits WHERE inhparent = 'events'::regclass`,
    );
    expect(Number(table?.pages)).toBeGreaterThan(5 * MAX_PAGES);
    expect(Number(table?.parts)).toBeGreaterThan(2);
  });

  const range = () => ({ min: timeOf(positions[0] ?? '') - 1, max: Date.now() });

  it.each<[string, Partial<EventsRequest>, Visibility]>([
    ['all', {}, ALL],
    ['one’s own', {}, own],
    ['one resource', { objectId: LOAN }, ALL],
    ['one resource of one’s own', { objectId: LOAN }, own],
    ['one resource without events', { objectId: OTHER }, ALL],
    ['a rare type', { types: ['loan.lost'] }, ALL],
    ['a type without events', { types: ['loan.returned'] }, ALL],
    ['three types', { types: ['loan.created', 'loan.lost', 'book.created'] }, ALL],
    ['a type of one’s own', { types: ['loan.created'] }, own],
    ['what is another’s', {}, { ...own, userId: OTHER }],
  ])('a page of %s reads few pages from each position', async (_, request, visible) => {
    for (const descending of [false, true]) {
      for (const after of positions) {
        for (const more of [{}, { range: range() }]) {
          const asks = { limit: 40, descending, after, ...request, ...more };
          expect(await expensive(() => library.events.page(asks, () => visible))).toEqual([]);
        }
      }
    }
  });

  it.each<[string, Partial<EventsRequest>]>([
    ['all', {}],
    ['one resource', { objectId: LOAN }],
    ['one resource and an actor', { objectId: LOAN, actorId: READER }],
    ['an actor', { actorId: READER }],
    ['an actor without records', { actorId: OTHER }],
    ['an actor and a rare type', { actorId: READER, types: ['loan.lost'] }],
    ['a type without records', { types: ['loan.returned'] }],
  ])('a page of the audit reads few pages from each position: %s', async (_, request) => {
    const { audit } = library.events;
    for (const descending of [false, true]) {
      for (const after of positions) {
        for (const more of [{}, { range: range() }]) {
          const asks = { limit: 40, descending, after, ...request, ...more };
          expect(await expensive(async () => audit?.page(asks, () => undefined))).toEqual([]);
        }
      }
    }
  });

  it('finding an event and its audit event reads few pages', async () => {
    const id = positions[1] ?? '';
    expect(await expensive(() => library.events.get(id, ALL))).toEqual([]);
    expect(await expensive(() => library.events.get(id, own))).toEqual([]);
    expect(await expensive(async () => library.events.audit?.get(id))).toEqual([]);
  });

  it('webhooks and long polls read few pages from each position', async () => {
    const [first = '', ...others] = positions;
    for (const after of [first, ...others]) {
      for (const types of [undefined, ['loan.lost'], ['loan.created', 'book.created']]) {
        expect(await expensive(() => library.events.segment(after, types, ALL, 50))).toEqual([]);
        expect(await expensive(() => library.events.segment(after, types, own, 50))).toEqual([]);
      }
      expect(await expensive(() => library.events.requireKept(after))).toEqual([]);
      for (const table of [EVENTS, AUDIT_EVENTS]) {
        const end = others.at(-1) ?? '';
        expect(await expensive(() => readEntries(database, table, after, end))).toEqual([]);
      }
    }
  });

  it('a purge without expired rows reads few pages', async () => {
    const log = { warn: () => undefined };
    expect(await expensive(() => new EventPurge(database, log, 30 * DAY_MS, PARTITION_MS).purge())).toEqual([]);
    expect(await expensive(() => new AuditPurge(database, log, 30 * DAY_MS).purge())).toEqual([]);
  });
});

function partitionsFrom(fromMs: number): string {
  const partition = (_: unknown, n: number): string => {
    const [from, to] = [n, n + 1].map((each) => firstIdAt(fromMs + each * PARTITION_MS));
    return `CREATE TABLE events_${String(n)} PARTITION OF events FOR VALUES FROM ('${String(from)}') TO ('${String(to)}')`;
  };
  return Array.from({ length: PARTITIONS }, partition).join('; ');
}
