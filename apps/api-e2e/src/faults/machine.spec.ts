import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { closingFetch, PlainClient, type Outcome } from '@items/testing';

import { lackOfDisk, SmallDisk } from '../harness/small-disk.js';
import { CLUSTER, expectHeld, fault, seconds } from './fault.js';
import { idleConnections } from './idle-connections.js';
import { Load } from './load.js';
import { LACKS_FAKETIME, movedClock } from './moved-clock.js';
import { onCluster, onSite, startAlone } from './topologies.js';

/** A quota of `requests` in `seconds`. */
const QUOTA = { requests: 5, seconds: 6 };
const CONNECTIONS = 10_000;

fault(
  'disk-full',
  'The disk of SQLite is full for 5 s, and the service is killed (kill -9) in the midst of it',
  lackOfDisk(),
  () =>
    onSite(async (site) => {
      const disk = SmallDisk.mount()!;
      site.atEnd(() => disk.remove());
      const url = `sqlite:${join(disk.folder, 'items.sqlite')}`;
      const { address, key, program, startAgain } = await startAlone(site, { DATABASE_URL: url });
      const load = new Load(address, key).start({ writers: 4, walkers: 1, readers: 2 });
      await sleep(2000);
      disk.fill();
      await sleep(5000);
      const failures = [...load.tally.failures.keys()];
      await program.kill();
      disk.free();
      await startAgain();
      const since = performance.now();
      await sleep(4000);
      expectHeld(await load.stop(), { back: { since, within: 1000 } });
      expect(failures).not.toEqual([]);
      expect(failures.filter((how) => !how.startsWith('503 database_unavailable'))).toEqual([]);
    }),
);

/**
 * Uses up a small quota, sets the clock, and waits until the quota is available again.
 * @returns the waiting time.
 */
async function quotaOverJump(address: string, key: string, setClock: () => void): Promise<number> {
  // The header that the proxy sets in production.
  const headers = { 'x-forwarded-proto': 'https' };
  const { body } = await new PlainClient(address, key).send('POST', '/api-keys', {
    json: { name: 'small', scopes: ['items:read'], rate_limit: QUOTA },
    headers,
  });
  const client = new PlainClient(address, String(body?.key));
  const list = (): Promise<Outcome> => client.send('GET', '/items', { headers });
  let last = await list();
  for (let n = 0; n < QUOTA.requests && last.status === 200; n += 1) last = await list();
  expect(last.status).toBe(429);
  const begunMs = performance.now();
  setClock();
  while ((await list()).status === 429 && performance.now() - begunMs < 20_000) await sleep(200);
  return performance.now() - begunMs;
}

/**
 * Registers a test of clock jumps. Jumps of hours apply to both clocks: if they differ by more than CURSOR_TTL,
 * instances disagree about expired cursors.
 */
function clockFault(offset: string, which: 'one' | 'both', words: string): void {
  const title = `The clock of ${which === 'one' ? 'one of two instances' : 'both instances'} jumps by ${words}`;
  fault(`clock${offset}`, title, CLUSTER ?? LACKS_FAKETIME, () =>
    onSite(async (site) => {
      const { env, set } = movedClock(site);
      const alone = await startAlone(site, { ...env, DATABASE_URL: `sqlite:${join(site.folder, 'items.sqlite')}` });
      const moved = which === 'one' ? { envOfFirst: env } : { env };
      return onCluster(moved, async ({ address, key, instances: [first] }) => {
        const load = new Load(address, key).start();
        await sleep(2000);
        const tookMs = await Promise.all([
          quotaOverJump(alone.address, alone.key, () => set(offset)),
          quotaOverJump(first.address, key, () => undefined),
        ]);
        await sleep(6000);
        const longestMs = Math.max(...tookMs);
        expectHeld(await load.stop(), { failed: 0 }, `a quota of ${QUOTA.seconds} s lasted ${seconds(longestMs)}`);
        expect(longestMs).toBeLessThanOrEqual((QUOTA.seconds + 2) * 1000);
      });
    }),
  );
}

clockFault('-5m', 'one', '−5 minutes');
clockFault('+5m', 'one', '+5 minutes');
clockFault('-2h', 'both', '−2 hours');

fault('idle-connections', `${CONNECTIONS} connections that were used once and idle now`, undefined, () =>
  onSite(async (site) => {
    const { address, port, key } = await startAlone(site, {
      DATABASE_URL: `sqlite:${join(site.folder, 'items.sqlite')}`,
    });
    const load = new Load(address, key).start({ writers: 2, walkers: 1, readers: 2 });
    await sleep(1000);
    const begunMs = performance.now();
    const connections = await idleConnections(port, CONNECTIONS);
    const openedMs = performance.now() - begunMs;
    const open = connections.size;
    const slowestMs = await slowestProbe(address, key);
    for (const connection of connections) connection.destroy();
    await sleep(1000);
    const words = `${CONNECTIONS} opened in ${seconds(openedMs)}, ${open} of them kept; a new client waited ${seconds(slowestMs)} at most`;
    expectHeld(await load.stop(), { failed: 0, longestMs: 3000 }, words);
    expect(slowestMs).toBeLessThanOrEqual(1000);
  }),
);

/** Opens a new connection for each request. */
async function slowestProbe(address: string, key: string): Promise<number> {
  let slowestMs = 0;
  for (let n = 0; n < 50; n += 1) {
    const begunMs = performance.now();
    const path = n % 2 === 0 ? '/health/live' : '/items?limit=1';
    const answer = await closingFetch(`${address}${path}`, { headers: { 'x-api-key': key } });
    await answer.text();
    expect(answer.status).toBe(200);
    slowestMs = Math.max(slowestMs, performance.now() - begunMs);
    await sleep(20);
  }
  return slowestMs;
}
