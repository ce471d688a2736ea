import { HttpClient, provideDatabase, startApp, type RunningApp, type TestDatabase } from '@items/testing';

import { expectStatus } from '../harness/reading.js';
import { eventually, Receiver } from '../harness/receiver.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

const env = { ADMIN_API_KEY: 'k'.repeat(40), WEBHOOK_ALLOW: '127.0.0.0/8' };
const TAKEN_OVER_WITHIN_MS = 45_000;
/** Only one process writes to a file of SQLite, so several instances need PostgreSQL. */
const describeInstances = globalThis.database === 'postgres' ? describeStarted : describe.skip;

describeInstances('§6.2 Webhooks of several instances', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  const apps: RunningApp[] = [];
  const names: string[] = [];

  const client = (instance: number): HttpClient =>
    new HttpClient({ baseUrl: apps[instance]!.baseUrl }).withHeaders(['X-API-Key', env.ADMIN_API_KEY]);
  const arrived = (): string[] => receiver.received.map(({ event }) => String(event.data.object['name']));

  async function addItems(instance: number, ...added: readonly string[]): Promise<void> {
    for (const name of added) {
      expectStatus(await client(instance).post('/items', { name }), 201);
      names.push(name);
    }
  }

  const allArrived = (withinMs: number): Promise<true> =>
    eventually(() => (names.every((name) => arrived().includes(name)) ? true : undefined), withinMs);

  beforeAll(async () => {
    database = await provideDatabase(databaseUnderTest());
    receiver = await Receiver.start();
    for (let n = 0; n < 2; n += 1) {
      apps.push(await startApp({ database: databaseUnderTest(), databaseUrl: database.url, env }));
    }
    expectStatus(await client(0).post('/webhooks', { url: receiver.url(), events: ['item.*'] }), 201);
    await addItems(1, 'from the other instance');
    await allArrived(5000);
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()));
    await receiver.stop();
    await database.drop();
  });

  it('have at most 20 concurrent pings in all: 409 too_many_pings', async () => {
    receiver.answer = () => 'taken';
    const answer = await client(0).post('/webhooks', { url: receiver.url('/pinged'), events: ['user.*'] });
    const { id } = answer.json() as { id: string };
    const pings = await Promise.all(
      Array.from({ length: 60 }, (_, n) => client(n % 2).post(`/webhooks/${id}/pings`, {})),
    );
    const statuses = pings.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(20).fill(201), ...Array<number>(40).fill(409)]);
    await eventually(() => (receiver.at('/pinged').length === 10 ? true : undefined));
    expectStatus(await client(0).delete(`/webhooks/${id}`), 204);
    receiver.received.length = 1;
  });

  it('another instance takes over within 45 s after a freeze, and the thawed instance sends nothing more', async () => {
    receiver.answer = () => 'taken';
    await addItems(1, ...Array.from({ length: 15 }, (_, n) => `under way ${String(n)}`));
    await eventually(() => (receiver.received.length === 11 ? true : undefined));
    apps[0]!.process.signal('SIGSTOP');
    receiver.answer = () => 204;
    await allArrived(TAKEN_OVER_WITHIN_MS);
    const before = receiver.received.length;
    apps[0]!.process.signal('SIGCONT');
    await addItems(0, 'afterwards');
    await allArrived(5000);
    expect(receiver.received).toHaveLength(before + 1);
  });

  it('another instance takes over within 45 s after a kill, and nothing is lost', async () => {
    await apps[1]!.stop('SIGKILL');
    await addItems(0, 'one', 'two', 'three');
    await allArrived(TAKEN_OVER_WITHIN_MS);
  });

  it('another instance takes over immediately after a stop', async () => {
    apps[1] = await startApp({ database: databaseUnderTest(), databaseUrl: database.url, env });
    await apps[0]!.stop('SIGTERM');
    await addItems(1, 'four');
    await allArrived(10_000);
  });
});
