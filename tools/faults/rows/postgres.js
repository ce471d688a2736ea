import { setTimeout as sleep } from 'node:timers/promises';

import { startPostgres } from '../../cluster/postgres.ts';
import { waitUntil } from '../../cluster/wait-until.ts';
import { startPatroni } from '../patroni.js';
import { startPgBouncer } from '../../cluster/pgbouncer.ts';
import { judge, seconds } from '../fault.js';
import { Load } from '../load.js';
import { onCluster, onSite, startAlone } from '../topologies.js';

/** @typedef {import('../fault.js').Fault} Fault */

/** Time until the proxy uses both instances again (`inter 2s rise 2`), including the recovery of the service. */
const BACK_MS = 8000;
/** The service waits 4.5 s for the database. The rest is tolerance for a busy machine. */
const LONGEST_MS = 7000;

/** @type {Fault} */
const primaryKilled = {
  name: 'primary-killed',
  title: "kill -9 of PostgreSQL's primary; the standby, which is synchronous, is promoted 2 s later",
  run: () =>
    onCluster({}, async ({ address, key, primary, standby }) => {
      const load = new Load(address, key).start();
      await sleep(3000);
      await primary.kill();
      await sleep(2000);
      await standby.promote();
      const since = performance.now();
      await sleep(BACK_MS + 2000);
      return judge(await load.stop(), { back: { since, within: BACK_MS }, longestMs: LONGEST_MS });
    }),
};

/** @type {Fault} */
const primaryRestarted = {
  name: 'primary-restarted',
  title: 'kill -9 of a PostgreSQL without a standby, which starts again 3 s later',
  run: () =>
    onSite(async (site) => {
      const { primary } = await startPostgres(site, { hasStandby: false });
      const { address, key } = await startAlone(site, { DATABASE_URL: primary.url });
      const load = new Load(address, key).start();
      await sleep(3000);
      await primary.kill();
      await sleep(3000);
      await primary.startAgain();
      const since = performance.now();
      await sleep(6000);
      return judge(await load.stop(), { back: { since, within: 3000 }, longestMs: LONGEST_MS });
    }),
};

/** @type {Fault} */
const standbyKilled = {
  name: 'standby-killed',
  title: 'kill -9 of the synchronous standby, which starts again 8 s later',
  run: () =>
    onCluster({}, async ({ address, key, standby }) => {
      const load = new Load(address, key).start();
      await sleep(3000);
      await standby.kill();
      await sleep(8000);
      await standby.startAgain();
      const since = performance.now();
      await sleep(BACK_MS + 2000);
      return judge(await load.stop(), { back: { since, within: BACK_MS }, longestMs: LONGEST_MS });
    }),
};

/** @type {Fault} */
const pgbouncerKilled = {
  name: 'pgbouncer-killed',
  title: 'kill -9 of PgBouncer (session mode), which starts again 3 s later',
  run: () =>
    onSite(async (site) => {
      const { primary } = await startPostgres(site, { hasStandby: false });
      const pooler = await startPgBouncer(site, primary.port);
      const env = { DATABASE_URL: pooler.url, MIGRATION_DATABASE_URL: primary.url };
      const { address, key } = await startAlone(site, env);
      const load = new Load(address, key).start();
      await sleep(3000);
      await pooler.program.kill();
      await sleep(3000);
      await pooler.startAgain();
      const since = performance.now();
      await sleep(6000);
      return judge(await load.stop(), { back: { since, within: 3000 }, longestMs: LONGEST_MS });
    }),
};

/** @type {Fault} */
const leaderKilled = {
  name: 'patroni-leader-killed',
  title: "kill -9 of Patroni's leader with its PostgreSQL (`ttl: 20`, `synchronous_mode`)",
  run: () =>
    onSite(async (site) => {
      const { url, leader } = await startPatroni(site);
      const { address, key } = await startAlone(site, { DATABASE_URL: url });
      const load = new Load(address, key).start();
      await sleep(3000);
      const former = await leader();
      await former?.kill();
      const killedMs = performance.now();
      await waitUntil('Patroni has another leader', async () => (await leader()) !== undefined, 60_000);
      const since = performance.now();
      await sleep(8000);
      const words = `a new leader after ${seconds(since - killedMs)}`;
      return judge(await load.stop(), { back: { since, within: 5000 }, longestMs: LONGEST_MS }, words);
    }),
};

export const postgresFaults = [primaryKilled, primaryRestarted, standbyKilled, pgbouncerKilled, leaderKilled];
