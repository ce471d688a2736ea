import { askPostgres, createDatabase, postgresUnderTest } from '@items/testing';
import type pg from 'pg';

import { openDatabase } from '../../data/opening/open-database.js';
import type { Database } from '../../data/database/database.js';
import { eventMigrations } from '../../feed/event-migrations.js';
import { DAY_MS } from '../../feed/testing/library.testing.js';
import { recordStatements, pagesRead, planningClient, type Asked } from '../../feed/testing/asked.testing.js';
import { deliveriesOf, lastTried, requestedDeliveries, triedAfter, waitingOf } from '../deliveries/delivery-rows.js';
import { DeliveryPurge } from '../deliveries/delivery-purge.js';
import { pingsUnderWay } from '../deliveries/requested-deliveries.js';
import { webhookMigrations } from '../definition/webhook-migrations.js';
import { FakeSender, TestClock, TestService } from './service.testing.js';

const COUNT = 30_000;
/** Maximum number of pages that a query reads, of a table of more than 900. */
const MAX_PAGES = 60;
const BEFORE_ALL = '00000000-0000-7000-8000-000000000000';

(postgresUnderTest() === undefined ? describe.skip : describe)('Deliveries without statistics', () => {
  let url: string;
  let drop: () => Promise<void>;
  let database: Database;
  let service: TestService;
  let client: pg.Client;
  let webhookId: string;
  const asked: Asked[] = [];

  beforeAll(async () => {
    ({ url, drop } = await createDatabase());
    const migrations = [...eventMigrations, ...webhookMigrations];
    database = recordStatements(await openDatabase({ dialect: 'postgres', url }, { migrations }), asked);
    service = new TestService(database, new TestClock(), new FakeSender());
    webhookId = await service.addWebhook();
    await askPostgres(
      url,
      `INSERT INTO deliveries (id, created_at, updated_at, lane, seq, webhook_id, event_id, type, status, attempts)
       SELECT (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid, n + ${String(Date.now())}, n, 0, n,
         '${webhookId}', lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000', 'item.created', 'succeeded',
         '[{"at":"2026-11-20T00:00:00.000Z","duration_ms":12,"status_code":204,"error":null}]'
       FROM generate_series(1, ${String(COUNT)}) n`,
    );
    client = await planningClient(url);
  });
  afterAll(async () => {
    await client.end();
    await database.close();
    await drop();
  });

  const eventId = (n: number): string => `${n.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`;
  const near = COUNT - 100;
  const ids = (from: number): string[] => Array.from({ length: 50 }, (_, n) => eventId(from + n));
  const purge = (): Promise<number> =>
    new DeliveryPurge(database, service.deliveries, { warn: () => undefined }, 30 * DAY_MS).purge();

  it.each<[string, () => Promise<unknown>]>([
    ['those that wait', () => waitingOf(database, webhookId)],
    ['requested attempts', () => requestedDeliveries(database, [webhookId])],
    ['events that were tried after a position', () => triedAfter(database, webhookId, eventId(near))],
    ['the deliveries of a few events', () => deliveriesOf(database, webhookId, ids(near))],
    ['the last event that was tried', () => lastTried(database, webhookId)],
    ['the last event that was tried before another', () => lastTried(database, webhookId, eventId(near))],
    ['no event before the first', () => lastTried(database, webhookId, BEFORE_ALL)],
    ['pings in progress', () => pingsUnderWay(database, webhookId)],
    ['a purge without old deliveries', purge],
  ])('few pages are read for %s', async (_, work) => {
    expect(await askPostgres(url, "SELECT 1 FROM pg_stats WHERE tablename = 'deliveries'")).toEqual([]);
    asked.length = 0;
    await work();
    const ofDeliveries = asked.filter(({ sql }) => /^SELECT[^;]* FROM deliveries/.test(sql));
    expect(ofDeliveries).not.toEqual([]);
    for (const each of ofDeliveries) {
      const pages = await pagesRead(client, each);
      expect([each.sql, pages < MAX_PAGES ? 'few' : pages]).toEqual([each.sql, 'few']);
    }
  });
});
