import { setTimeout as sleep } from 'node:timers/promises';

import type { CreatedApiKey } from '@items/dtos/contract';
import { type DatabaseName, HttpClient, isLongForm, provideDatabase, type TestDatabase } from '@items/testing';

import { Random } from '../harness/random.js';
import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest } from '../harness/service.js';
import { HistoryClient } from './history-client.js';
import { History } from './history.js';
import { Instance } from './instance.js';

export const SECONDS = Number(process.env['HISTORY_SECONDS'] ?? (isLongForm ? 60 : 15));
export const SEED = Number(process.env['HISTORY_SEED'] ?? Math.floor(Math.random() * 1_000_000));
/** Time limit of a test, which includes the start of the processes and the search. */
export const LIMIT_MS = SECONDS * 1000 + 180_000;

const CLIENTS = 8;
/** Mean time between two faults. */
const CALM_MS = 2_000;
const LONGEST_PAUSE_MS = 3_000;

export interface HistoryOptions {
  readonly instances: readonly Instance[];
  /** Default: the addresses of the instances. */
  readonly addresses?: readonly string[];
  readonly seconds?: number;
  /** If true, kills and pauses instances. Default: true. */
  readonly disturbs?: boolean;
  /** Called after half of the time; with a probability of 50 %, while an instance is paused. */
  readonly failover?: () => Promise<void>;
  readonly readsStandbys?: boolean;
}

export async function startInstances(
  database: DatabaseName,
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Instance[]> {
  const options = { database, databaseUrl, env: { ADMIN_API_KEY: 'k'.repeat(40), ...env } };
  return [await Instance.start(options), await Instance.start(options)];
}

/** Starts two instances on a new database for the tests of a group. */
export function provideInstances(): () => readonly Instance[] {
  let database: TestDatabase;
  let instances: readonly Instance[] = [];
  beforeAll(async () => {
    database = await provideDatabase(databaseUnderTest());
    instances = await startInstances(databaseUnderTest(), database.url);
  });
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database.drop();
  });
  return () => instances;
}

/** Runs clients on instances that are killed and paused, and returns what they saw. */
export async function runHistory(options: HistoryOptions): Promise<History> {
  const { instances, addresses = instances.map(({ address }) => address), seconds = SECONDS } = options;
  const history = new History(options.readsStandbys ?? false);
  // A separate key for each client, because the promise of consistent reads is for each credential.
  const keys = await Promise.all(Array.from({ length: CLIENTS }, () => createKey(instances[0]!)));
  const clients = keys.map((key, n) => new HistoryClient(history, new Random(SEED + n), addresses, key));
  let isOver = false;
  const working = Promise.all(clients.map((client) => client.work(() => isOver)));
  const disturbed = disturb(options, seconds).finally(() => {
    isOver = true;
  });
  const [faults] = await Promise.all([disturbed, working]);
  if (process.env['HISTORY_SECONDS'] !== undefined)
    process.stdout.write(`HISTORY_SEED=${SEED}: ${history.figure}; ${faults.join(', ')}\n`);
  return history;
}

async function createKey({ address, adminKey }: Instance): Promise<string> {
  const admin = new HttpClient({ baseUrl: address, headers: [['X-API-Key', adminKey]] });
  const created = await admin.post('/api-keys', { name: 'Client', scopes: ['items:read', 'items:write'] });
  expectStatus(created, 201);
  return (created.json() as CreatedApiKey).key;
}

/** Causes one fault after another. Returns their names. */
async function disturb(
  { instances, disturbs = true, failover }: HistoryOptions,
  seconds: number,
): Promise<readonly string[]> {
  const random = new Random(SEED ^ 0x5eed);
  const faults: string[] = [];
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  let isFailoverDue = failover !== undefined;
  while (performance.now() < endMs) {
    await sleep(Math.min(CALM_MS * (0.5 + random.next()), endMs - performance.now()));
    const instance = disturbs ? random.of(instances) : undefined;
    const isPause = random.next() < 0.5;
    if (isFailoverDue && performance.now() - startMs > seconds * 500) {
      isFailoverDue = false;
      if (isPause) instance?.pause();
      await failover?.();
      if (isPause) instance?.resume();
      faults.push('failover');
    } else if (instance === undefined || performance.now() >= endMs) {
      continue;
    } else if (isPause) {
      faults.push('pause');
      instance.pause();
      await sleep(LONGEST_PAUSE_MS * random.next());
      instance.resume();
    } else {
      faults.push('kill');
      await instance.restart();
    }
  }
  return faults;
}
