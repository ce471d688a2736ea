import type { CursorPage } from '@items/conventions';
import type { Item } from '@items/dtos/contract';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { startService, type ServiceUnderTest } from '../../service/testing/start-fixture.testing.js';
import { sealOf } from './cursors.js';

describeOnBothDatabases('§4.1 A cursor without an epoch', (under) => {
  const secret = 's'.repeat(40);
  let running: ServiceUnderTest;

  beforeAll(async () => {
    running = await startService(under.config, { CURSOR_SECRET: secret });
  });
  afterAll(() => running.service.app.close());

  it('is served like a new one during any writes, even after a restart', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      ids.push(((await running.admin.post('/items', { name })).json() as Item).id);
    }
    const first = (await running.admin.get('/items?limit=1&sort=name')).json() as CursorPage<'items', Item>;
    const seal = sealOf(secret);
    const parts = JSON.parse(seal.open(first.next_cursor ?? '') ?? '') as unknown[];
    expect(parts).toHaveLength(6);
    const former = seal.seal(JSON.stringify(parts.slice(0, 5)));
    expect((await running.admin.put(`/items/${ids[2] ?? ''}`, { name: 'zz' })).status).toBe(200);
    await running.admin.delete(`/items/${ids[3] ?? ''}`);
    await running.admin.post('/items', { name: 'e' });
    const namesBy = async (cursor: string): Promise<string[]> => {
      const answer = await running.admin.get(`/items?limit=10&sort=name&cursor=${cursor}`);
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      return (answer.json() as CursorPage<'items', Item>).items.map(({ name }) => name);
    };
    expect(await namesBy(former)).toEqual(['b', 'c']);
    expect(await namesBy(first.next_cursor ?? '')).toEqual(['b', 'c']);
    await running.service.app.close();
    running = await startService(under.config, { CURSOR_SECRET: secret });
    expect(await namesBy(former)).toEqual(['b', 'c']);
  });
});
