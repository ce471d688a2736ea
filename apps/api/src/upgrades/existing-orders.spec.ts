import { ORDER_STATUSES, type Order, type OrderStatus } from '@items/dtos/contract';
import { TestMigrations } from '@items/service/testing';
import { onBothDatabases } from '@items/testing';

import { AppModule } from '../app.module.js';
import { startOn, type UpgradedService, urlOf } from './upgraded-service.testing.js';

const openMigrations = (config: Parameters<typeof urlOf>[0]): Promise<TestMigrations> =>
  TestMigrations.open(AppModule, urlOf(config));

onBothDatabases('Orders that were there before everybody’s were listed', openMigrations, (under) => {
  let running: UpgradedService;
  const orders: string[] = [];

  beforeAll(async () => {
    running = await startOn(under.config);
    await placeOrders();
    await running.stop();
    await under.database.undo('IndexAllOrders1763000000040');
    running = await startOn(under.config);
  });
  afterAll(() => running.stop());

  async function post(target: string, body: object): Promise<{ id: string }> {
    const answer = await running.admin.post(target, body);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json() as { id: string };
  }

  /** Places two pending and three confirmed orders. */
  async function placeOrders(): Promise<void> {
    const user = { username: 'ada', password: 'correct horse battery', role: 'member' };
    const { id: ada } = await post('/users', user);
    const { id: item } = await post('/items', { name: 'Mug', price: 1 });
    for (let n = 0; n < 5; n += 1) {
      const target = `/users/${ada}/orders`;
      const { id } = await post(target, { lines: [{ item_id: item, quantity: 1 }] });
      orders.push(`${target}/${id}`);
      if (n > 1) await post(`${target}/${id}/transitions`, { to: 'confirmed' });
    }
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
