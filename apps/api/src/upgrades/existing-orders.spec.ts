import { ORDER_STATUSES, type Order, type OrderStatus } from '@items/dtos/contract';
import { migratePostgres, postgresSource } from '@items/service/internal/data/postgres/postgres-source';
import { migrateSqlite, sqliteWriter } from '@items/service/internal/data/sqlite/sqlite-source';

import { describeOnBothDatabases } from '../database/database.testing.js';
import { schema } from '../service.testing.js';
import { startService, type ServiceUnderTest } from '../users/users.testing.js';
import { IndexAllOrders1763000000040 } from '../migrations/1763000000040-index-all-orders.js';

describeOnBothDatabases('Orders that were there before everybody’s were listed', (under) => {
  let running: ServiceUnderTest;
  const orders: string[] = [];

  beforeAll(async () => {
    running = await startService(under.config);
    await placeOrders();
    await running.service.app.close();
    await backAndForward();
    running = await startService(under.config);
  });
  afterAll(() => running.service.app.close());

  async function post(target: string, body: object): Promise<{ id: string }> {
    const answer = await running.admin.post(target, body);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json() as { id: string };
  }

  /** Two pending, three confirmed. */
  async function placeOrders(): Promise<void> {
    const ada = await running.addUser({ username: 'ada', role: 'member' });
    const { id: item } = await post('/items', { name: 'Mug', price: 1 });
    for (let n = 0; n < 5; n += 1) {
      const target = `/users/${ada}/orders`;
      const { id } = await post(target, { lines: [{ item_id: item, quantity: 1 }] });
      orders.push(`${target}/${id}`);
      if (n > 1) await post(`${target}/${id}/transitions`, { to: 'confirmed' });
    }
  }

  /** To before, and on from there as a start of the service does. */
  async function backAndForward(): Promise<void> {
    const { config } = under;
    const isPostgres = config.dialect === 'postgres';
    const source = await (isPostgres ? postgresSource(config.url, schema) : sqliteWriter(config.file, schema));
    const at = schema.migrations.indexOf(IndexAllOrders1763000000040);
    for (let left = schema.migrations.length; left > at; left--)
      await source.undoLastMigration({ transaction: 'each' });
    await (isPostgres ? migratePostgres(config.url, schema) : migrateSqlite(source));
    await source.destroy();
  }

  async function totals(): Promise<Partial<Record<OrderStatus, number>>> {
    const entries = ORDER_STATUSES.map(async (status) => {
      const page = (await running.admin.get(`/orders?status=${status}`)).json() as { total: number; orders: Order[] };
      expect(page.orders).toHaveLength(page.total);
      return [status, page.total] as const;
    });
    return Object.fromEntries((await Promise.all(entries)).filter(([, total]) => total > 0));
  }

  it('are counted by their states, also when these change', async () => {
    expect(await totals()).toEqual({ pending: 2, confirmed: 3 });
    await post(`${orders[0]}/transitions`, { to: 'confirmed' });
    await post(`${orders[4]}/transitions`, { to: 'shipped' });
    expect(await totals()).toEqual({ pending: 1, confirmed: 3, shipped: 1 });
  });
});
