import { eventMigrations } from './event-migrations.js';
import { Schema } from '../for-store.js';
import { postgresSource } from '../data/postgres/postgres-source.js';
import { sqliteWriter } from '../data/sqlite/sqlite-source.js';
import { storeMigrations } from '../data/schema/store-migrations.js';

import { describeOnBothDatabases } from '../service/testing/fixture-database.testing.js';
import { schema } from '../service/testing/fixture.testing.js';
import { startService, type ServiceUnderTest } from '../service/testing/start-fixture.testing.js';

interface Page {
  readonly events: readonly { readonly type: string; readonly data: { readonly object: { readonly id: string } } }[];
  readonly after: string;
}

describeOnBothDatabases('A database that is older than events', (under) => {
  let running: ServiceUnderTest | undefined;

  afterAll(() => running?.service.app.close());

  async function start(env: NodeJS.ProcessEnv = {}): Promise<ServiceUnderTest> {
    await running?.service.app.close();
    running = await startService(under.config, env);
    return running;
  }

  async function addItem({ admin }: ServiceUnderTest, name: string): Promise<string> {
    const answer = await admin.post('/items', { name });
    if (answer.status !== 201) throw new Error(answer.text);
    return (answer.json() as { id: string }).id;
  }

  async function pageOf({ admin }: ServiceUnderTest, query = ''): Promise<Page> {
    const answer = await admin.get(`/events?${query}`);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json() as Page;
  }

  /** Restores the state of the previous version: no table of events, and clocks without events. */
  async function forgetEvents(): Promise<void> {
    const { config } = under;
    const isPostgres = config.dialect === 'postgres';
    const source = await (isPostgres ? postgresSource(config.url, schema) : sqliteWriter(config.file, schema));
    const runner = source.createQueryRunner();
    try {
      for (const Migration of [
        ...[...eventMigrations].reverse(),
        ...storeMigrations.filter(({ name }) => /^EventClocks/.test(name)),
      ]) {
        await new Migration().down(runner);
        await new Schema(runner).run(`DELETE FROM migrations WHERE name = '${Migration.name}'`);
      }
    } finally {
      await runner.release();
      await source.destroy();
    }
  }

  it('migrates: later writes make events, and earlier ones do not', async () => {
    await addItem(await start(), 'Before');
    await running?.service.app.close();
    running = undefined;
    await forgetEvents();
    const service = await start();
    expect((await pageOf(service)).events).toEqual([]);
    const id = await addItem(service, 'After');
    const { events } = await pageOf(service);
    expect(events.map(({ type, data }) => [type, data.object.id])).toEqual([['item.created', id]]);
  });

  it('refuses older positions after writes with EVENTS=off', async () => {
    const before = await pageOf(await start());
    await addItem(await start({ EVENTS: 'off' }), 'Untold');
    const service = await start();
    const refused = await service.admin.get(`/events?after=${before.after}`);
    expect([refused.status, (refused.json() as { code: string }).code]).toEqual([400, 'expired_cursor']);
    expect((await pageOf(service)).events).toEqual([]);
  });
});
