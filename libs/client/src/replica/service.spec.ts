import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  closingFetch,
  isLongForm,
  postgresUnderTest,
  provideDatabase,
  startApp,
  type RunningApp,
  type TestDatabase,
} from '@items/testing';

import { createClient, type Item, type ItemsClient } from '../index.js';
import { createReplica, memoryStore } from './index.js';

const ROUNDS = isLongForm ? 20 : 4;
const PATIENCE_MS = 60_000;
const databases = postgresUnderTest() === undefined ? (['sqlite'] as const) : (['sqlite', 'postgres'] as const);

describe.each(databases)('a replica in another process, with the real service on %s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'replica-'));
  const [file, addresses, log] = ['copy.sqlite', 'addresses', 'log'].map((each) => join(folder, each)) as [
    string,
    string,
    string,
  ];
  const env = { ADMIN_API_KEY: 'k'.repeat(40) };
  let database: TestDatabase;
  let apps: RunningApp[] = [];
  let program: ChildProcess;
  let isWriting = true;

  const launchApp = async (): Promise<RunningApp> => startApp({ database: name, databaseUrl: database.url, env });
  const announce = (): void => writeFileSync(addresses, apps.map(({ baseUrl }) => baseUrl).join(' '));
  const launchProgram = (): ChildProcess => {
    const output = openSync(log, 'a');
    const script = join(__dirname, 'testing/program.testing.js');
    return spawn(process.execPath, [script, file, addresses, env.ADMIN_API_KEY], { stdio: ['ignore', output, output] });
  };
  const clientOf = ({ baseUrl }: RunningApp): ItemsClient =>
    createClient({ baseUrl, auth: { apiKey: env.ADMIN_API_KEY }, fetch: closingFetch });
  const walked = async (): Promise<string[]> => {
    const rows: string[] = [];
    for await (const item of clientOf(apps[0]!).items.walk({ limit: 100 })) rows.push(JSON.stringify(item));
    return rows;
  };
  const stored = (): string[] => {
    const copy = new DatabaseSync(file, { readOnly: true });
    const rows = copy.prepare('SELECT row FROM rows ORDER BY id').all() as { row: string }[];
    copy.close();
    return rows.map(({ row }) => row);
  };
  /** Creates, changes and deletes items, and ignores errors. */
  const write = async (): Promise<void> => {
    let own: Item[] = [];
    while (isWriting) {
      try {
        const { items } = clientOf(apps[own.length % apps.length]!);
        own.push(await items.create({ name: 'Mug', price: own.length }));
        const [first, second] = own;
        if (first) await items.replace(first.id, { name: 'Cup', price: (first.price ?? 0) + 1 });
        if (own.length > 8 && second) await items.delete(second.id);
        if (own.length > 8) own = own.slice(2);
      } catch {
        await sleep(50);
      }
    }
  };

  beforeAll(async () => {
    database = await provideDatabase(name);
    apps = await Promise.all(Array.from({ length: name === 'postgres' ? 2 : 1 }, launchApp));
    announce();
  }, 120_000);
  afterAll(async () => {
    program.kill('SIGKILL');
    for (const app of apps) await app.stop('SIGKILL');
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('equals a walk after kill -9 of both sides among writers, and no row has gone back', async () => {
    program = launchProgram();
    const writers = Array.from({ length: 4 }, write);
    for (let round = 0; round < ROUNDS; round += 1) {
      await sleep(500 + Math.random() * 1000);
      if (round % 2 === 0) {
        program.kill('SIGKILL');
        program = launchProgram();
      } else {
        await apps.shift()?.end('SIGKILL');
        announce();
        apps.push(await launchApp());
        announce();
      }
    }
    isWriting = false;
    await Promise.all(writers);

    const deadline = Date.now() + PATIENCE_MS;
    const expected = await walked();
    while (JSON.stringify(stored()) !== JSON.stringify(expected) && Date.now() < deadline) await sleep(100);
    expect(stored()).toEqual(expected);
    expect(expected.length).toBeGreaterThan(10);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(rowsThatWentBack(readFileSync(log, 'utf8'))).toEqual([]);
  }, 300_000);
});

describe('a replica of a service with EVENTS=off', () => {
  let app: RunningApp;
  beforeAll(async () => (app = await startApp({ database: 'sqlite', env: { EVENTS: 'off' } })));
  afterAll(() => app.stop('SIGKILL'));

  it('is stopped, and onError gets the error', async () => {
    const { items } = createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey }, fetch: closingFetch });
    const errors: unknown[] = [];
    const replica = createReplica({ source: items, store: memoryStore(), onError: (error) => errors.push(error) });
    await expect(replica.start()).rejects.toMatchObject({ code: 'events_off' });
    expect(replica.status).toBe('stopped');
    expect(errors).toMatchObject([{ code: 'events_off' }]);
  });
});

/** Each program begins with its status. Prices never decrease. */
function rowsThatWentBack(log: string): string[] {
  const prices = new Map<string, number>();
  return log.split('\n').filter((line) => {
    const [id = '', price = ''] = line.split(' ');
    if (price === '') return prices.clear();
    const hasGoneBack = Number(price) < (prices.get(id) ?? 0);
    prices.set(id, Number(price));
    return hasGoneBack;
  });
}
