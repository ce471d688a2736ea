import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { hasPostgresPrograms, redisUnderTest, StreamingPair } from '@items/testing';

import { eventually } from '../harness/receiver.js';
import { describeStarted } from '../harness/service.js';
import type { Instance } from './instance.js';
import { LIMIT_MS, runHistory, SECONDS, SEED, startInstances } from './run-history.js';

/** Time from the end of the primary to the promotion of its standby. */
const PROMOTION_MS = 1_000;
/** Time for which a standby receives nothing before its promotion. */
const LATE_MS = 1_500;
/** Long enough for some reads after the failover. */
const LATE_STANDBY_SECONDS = 15;

const redis = redisUnderTest();
if (!hasPostgresPrograms || redis === undefined)
  process.stderr.write('SKIPPED: histories with a standby: there are no programs of PostgreSQL, or no Redis.\n');
const canRun = hasPostgresPrograms && globalThis.database === 'postgres';

(canRun ? describeStarted : describe.skip)(`§10 With a standby of PostgreSQL (HISTORY_SEED=${SEED})`, () => {
  let pair: StreamingPair;
  let instances: readonly Instance[];

  beforeEach(async () => {
    pair = await StreamingPair.start();
    instances = [];
  });
  afterEach(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await pair.stop();
  });

  /** Kills the primary and promotes its standby. */
  async function failover(): Promise<void> {
    await pair.primary.kill();
    await sleep(PROMOTION_MS);
    await pair.promote();
  }

  (redis === undefined ? it.skip : it)(
    'each client sees its own writes and never an older state while the standby serves reads',
    async () => {
      const env = { DATABASE_READ_URL: pair.standby.url, REDIS_URL: redis ?? '' };
      instances = await startInstances('postgres', pair.primary.url, env);
      expect((await runHistory({ instances, readsStandbys: true })).judge()).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'the operations on each member have one order after a failover to a synchronous standby',
    async () => {
      await waitForStandby(pair);
      instances = await startInstances('postgres', pair.url);
      expect((await runHistory({ instances, failover })).judge()).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'the checker notices a failover that loses writes',
    async () => {
      await waitForStandby(pair);
      instances = await startInstances('postgres', pair.url);
      const losesWrites = async (): Promise<void> => {
        await fallBehind(pair);
        await failover();
      };
      const seconds = Math.max(SECONDS, LATE_STANDBY_SECONDS);
      const history = await runHistory({ instances, seconds, disturbs: false, failover: losesWrites });
      expect(history.judge()).not.toEqual([]);
    },
    LIMIT_MS,
  );
});

/** Configures the primary to acknowledge a write only after its standby has it. */
async function waitForStandby({ primary }: StreamingPair): Promise<void> {
  await primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.ask('SELECT pg_reload_conf()');
  await eventually(async () => {
    const [row] = await primary.ask<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication');
    return row?.sync_state === 'sync' ? true : undefined;
  });
}

/** Configures the primary to refuse its standby, and no longer wait for it. */
async function fallBehind({ primary }: StreamingPair): Promise<void> {
  const file = join(primary.data, 'pg_hba.conf');
  await writeFile(file, `host replication all all reject\n${await readFile(file, 'utf8')}`);
  await primary.ask("ALTER SYSTEM SET synchronous_standby_names = ''");
  await primary.ask('SELECT pg_reload_conf()');
  await primary.ask('SELECT pg_terminate_backend(pid) FROM pg_stat_replication');
  await sleep(LATE_MS);
}
