import { setTimeout as sleep } from 'node:timers/promises';

import { Pooler, startPostgres, waitUntil } from '@items/testing';

import { CLUSTER, expectHeld, fault, programs, seconds } from './fault.js';
import { Load } from './load.js';
import { startPatroni } from './patroni.js';
import { onCluster, onSite, startAlone } from './topologies.js';

/** Time until the proxy uses both instances again (`inter 2s rise 2`), including the recovery of the service. */
const BACK_MS = 8000;
/** The service waits 4.5 s for the database. The rest is tolerance for a busy machine. */
const LONGEST_MS = 7000;

fault(
  'primary-killed',
  "kill -9 of PostgreSQL's primary; the standby, which is synchronous, is promoted 2 s later",
  CLUSTER,
  () =>
    onCluster({}, async ({ address, key, primary, standby }) => {
      const load = new Load(address, key).start();
      await sleep(3000);
      await primary.kill();
      await sleep(2000);
      await standby.promote();
      const since = performance.now();
      await sleep(BACK_MS + 2000);
      expectHeld(await load.stop(), { back: { since, within: BACK_MS }, longestMs: LONGEST_MS });
    }),
);

fault('primary-restarted', 'kill -9 of a PostgreSQL without a standby, which starts again 3 s later', undefined, () =>
  onSite(async (site) => {
    const primary = await startPostgres(site);
    const { address, key } = await startAlone(site, { DATABASE_URL: primary.url });
    const load = new Load(address, key).start();
    await sleep(3000);
    await primary.kill();
    await sleep(3000);
    await primary.startAgain();
    const since = performance.now();
    await sleep(6000);
    expectHeld(await load.stop(), { back: { since, within: 3000 }, longestMs: LONGEST_MS });
  }),
);

fault('standby-killed', 'kill -9 of the synchronous standby, which starts again 8 s later', CLUSTER, () =>
  onCluster({}, async ({ address, key, standby }) => {
    const load = new Load(address, key).start();
    await sleep(3000);
    await standby.kill();
    await sleep(8000);
    await standby.startAgain();
    const since = performance.now();
    await sleep(BACK_MS + 2000);
    expectHeld(await load.stop(), { back: { since, within: BACK_MS }, longestMs: LONGEST_MS });
  }),
);

fault(
  'pgbouncer-killed',
  'kill -9 of PgBouncer (session mode), which starts again 3 s later',
  programs('pgbouncer'),
  () =>
    onSite(async (site) => {
      const primary = await startPostgres(site);
      const pooler = await Pooler.startInFrontOf(primary.url, { mode: 'session' });
      site.atEnd(() => pooler.stop());
      const env = { DATABASE_URL: pooler.url, MIGRATION_DATABASE_URL: primary.url };
      const { address, key } = await startAlone(site, env);
      const load = new Load(address, key).start();
      await sleep(3000);
      await pooler.kill();
      await sleep(3000);
      await pooler.start();
      const since = performance.now();
      await sleep(6000);
      expectHeld(await load.stop(), { back: { since, within: 3000 }, longestMs: LONGEST_MS });
    }),
);

fault(
  'patroni-leader-killed',
  "kill -9 of Patroni's leader with its PostgreSQL (`ttl: 20`, `synchronous_mode`)",
  programs('patroni', 'etcd'),
  () =>
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
      expectHeld(await load.stop(), { back: { since, within: 5000 }, longestMs: LONGEST_MS }, words);
    }),
);
