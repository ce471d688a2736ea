import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { measureLatency, type Latency } from '@items/testing';

import { databaseUnderTest, describeStarted } from '../harness/service.js';
import type { CredentialHeaders } from './member-credentials.js';
import { prepareService, ROWS, type PreparedService } from './prepared-service.js';
import { worstRequests } from './worst-requests.js';

const LIMIT_MS = 900_000;
const RUNS = 3;
const SECONDS = 20;
/** Number of requests that a key's quota allows. */
const WINDOW = 600;
/** Quota of a member with all credentials: logins, ten of its keys, and two applications. */
const MEMBER_WINDOW = 13 * WINDOW;
const CONNECTIONS = 64;
const GETS_PER_SECOND = 100;

interface Attack {
  readonly statuses: Readonly<Record<string, number>>;
  /** Longest latency by the names of requests. */
  readonly longestMs: Readonly<Record<string, number>>;
}

describeStarted('Fairness: the gets of another user', () => {
  let service: PreparedService;
  /** Five times the p99 without load, plus 60 ms. */
  let allowedMs: number;
  let besideKeyMs: number;

  beforeAll(async () => {
    service = await prepareService(databaseUnderTest());
    await gets(2);
    const quiet = await gets(SECONDS / 2);
    allowedMs = 5 * quiet.p99Ms + 60;
    say(`quiet: p50 ${ms(quiet.p50Ms)}, p99 ${ms(quiet.p99Ms)}; allowed: p99 ${ms(allowedMs)}`);
    besideKeyMs = await p99Beside('one key', [service.attacker], WINDOW);
  }, LIMIT_MS);
  afterAll(() => service.stop());

  it('wait little while one key uses up its quota as fast as possible', () => {
    // No limit on PostgreSQL: its connection pool is not fair, so one key delays others more.
    if (databaseUnderTest() === 'sqlite') expect(besideKeyMs).toBeLessThanOrEqual(allowedMs);
    expect(besideKeyMs).toBeLessThan(Infinity);
  });

  it(
    'wait little while a member uses up the quotas of all credentials that it may have',
    async () => {
      const medianMs = await p99Beside('a member with all credentials', await service.member(), MEMBER_WINDOW);
      // On PostgreSQL a member delays others at most twice as much as one key.
      const limitMs = databaseUnderTest() === 'sqlite' ? allowedMs : Math.max(allowedMs, 2 * besideKeyMs);
      expect(medianMs).toBeLessThanOrEqual(limitMs);
      expect(medianMs).toBeLessThan(Infinity);
    },
    LIMIT_MS,
  );

  /** Returns the median of some runs; a run with a refused get counts as infinitely slow. */
  async function p99Beside(who: string, credentials: readonly CredentialHeaders[], count: number): Promise<number> {
    const p99s: number[] = [];
    for (let run = 1; run <= RUNS; run += 1) {
      const attacking = attack(credentials, count);
      const { p50Ms, p99Ms, refused } = await gets(SECONDS);
      const { statuses, longestMs } = await attacking;
      p99s.push(refused > 0 ? Infinity : p99Ms);
      say(`beside ${who}, run ${run}: p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}, ${refused} refused`);
      say(`  responses to it: ${JSON.stringify(statuses)}; the slowest in ms: ${JSON.stringify(longestMs)}`);
    }
    return p99s.sort((a, b) => a - b)[Math.floor(RUNS / 2)]!;
  }

  async function attack(credentials: readonly CredentialHeaders[], count: number): Promise<Attack> {
    const { addresses, itemId } = service;
    const requests = worstRequests(ROWS, itemId);
    const workerData = { addresses, connections: CONNECTIONS, requests, seconds: SECONDS, credentials, count };
    const worker = new Worker(join(__dirname, '../../attacker.js'), { workerData });
    const [outcome] = (await once(worker, 'message')) as [Attack];
    await worker.terminate();
    return outcome;
  }

  function gets(seconds: number): Promise<Latency> {
    return measureLatency({
      address: service.addresses[0]!,
      paths: service.ids.map((id) => `/items/${id}`),
      headers: service.victim,
      until: sleep(seconds * 1000),
      perSecond: GETS_PER_SECOND,
    });
  }
});

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
