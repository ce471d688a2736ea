import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { PlainClient } from '../client.js';
import { judge, seconds } from '../fault.js';
import { idleConnections } from '../idle-connections.js';
import { Load } from '../load.js';
import { movedClock } from '../moved-clock.js';
import { smallDisk } from '../small-disk.js';
import { onCluster, onSite, startAlone } from '../topologies.js';

/** @typedef {import('../fault.js').Fault} Fault */

/** @type {Fault} */
const diskFull = {
  name: 'disk-full',
  title: 'The disk of SQLite is full for 5 s, and the service is killed (kill -9) in the midst of it',
  run: () =>
    onSite(async (site) => {
      const disk = smallDisk(site, 24);
      const url = `sqlite:${join(disk.folder, 'items.sqlite')}`;
      const { address, key, program, startAgain } = await startAlone(site, { DATABASE_URL: url });
      const load = new Load(address, key).start({ writers: 4, walkers: 1, readers: 2 });
      await sleep(2000);
      disk.fill();
      await sleep(5000);
      const { failures } = load.tally;
      const others = [...failures.keys()].filter((how) => !how.startsWith('503 database_unavailable'));
      const before = load.tally.failed;
      await program.kill();
      disk.free();
      await startAgain();
      const since = performance.now();
      await sleep(4000);
      const result = judge(await load.stop(), { back: { since, within: 1000 } });
      if (before === 0) return { ...result, problems: [...result.problems, 'the disk was never full'] };
      if (others.length === 0) return result;
      return { ...result, problems: [...result.problems, `answered otherwise: ${others.join(', ')}`] };
    }),
};

/** A quota of `requests` per `seconds`. */
const QUOTA = { requests: 5, seconds: 6 };

/**
 * Uses up a small quota, sets the clock, and measures the time until the quota is available again.
 * @param {string} address @param {string} key @param {() => void} setClock
 */
async function quotaOverJump(address, key, setClock) {
  const admin = new PlainClient(address, key);
  // Set by the proxy in production.
  const headers = { 'x-forwarded-proto': 'https' };
  const list = () => client.send('GET', '/items', { headers });
  const { body } = await admin.send('POST', '/api-keys', {
    json: { name: 'small', scopes: ['items:read'], rate_limit: QUOTA },
    headers,
  });
  const client = new PlainClient(address, body.key);
  let last = await list();
  for (let n = 0; n < QUOTA.requests && last.status === 200; n += 1) last = await list();
  const usedUp = last.status === 429;
  const begunMs = performance.now();
  setClock();
  while ((await list()).status === 429 && performance.now() - begunMs < 20_000) await sleep(200);
  admin.close();
  client.close();
  return { usedUp, tookMs: performance.now() - begunMs };
}

/**
 * If two clocks differ by more than CURSOR_TTL, instances disagree about expired cursors. So jumps of hours apply to
 * both clocks.
 * @param {string} offset
 * @param {'one' | 'both'} which
 * @param {string} words
 * @returns {Fault}
 */
function clockRow(offset, which, words) {
  const env = which === 'one' ? 'envOfFirst' : 'env';
  return {
    name: `clock${offset}`,
    title: `The clock of ${which === 'one' ? 'one of two instances' : 'both instances'} jumps by ${words}`,
    run: () =>
      onSite(async (site) => {
        const clock = movedClock(site);
        const alone = await startAlone(site, {
          ...clock.env,
          DATABASE_URL: `sqlite:${join(site.folder, 'items.sqlite')}`,
        });
        return onCluster({ [env]: clock.env }, async ({ address, key, instances: [first] }) => {
          const load = new Load(address, key).start();
          await sleep(2000);
          const quotas = await Promise.all([
            quotaOverJump(alone.address, alone.key, () => clock.set(offset)),
            quotaOverJump(first.address, key, () => undefined),
          ]);
          await sleep(6000);
          const tookMs = Math.max(...quotas.map((quota) => quota.tookMs));
          const words = `a quota of ${QUOTA.seconds} s lasted ${seconds(tookMs)}`;
          const result = judge(await load.stop(), { failed: 0 }, words);
          const isLong = tookMs > (QUOTA.seconds + 2) * 1000 || quotas.some(({ usedUp }) => !usedUp);
          return isLong ? { ...result, problems: [...result.problems, 'a quota window was stretched'] } : result;
        });
      }),
  };
}

const CONNECTIONS = 10_000;
const PROBES_LIMIT_MS = 1000;

/** @type {Fault} */
const idle = {
  name: 'idle-connections',
  title: `${CONNECTIONS} connections that were used once and idle now`,
  run: () =>
    onSite(async (site) => {
      const { address, port, key } = await startAlone(site, {
        DATABASE_URL: `sqlite:${join(site.folder, 'items.sqlite')}`,
      });
      const load = new Load(address, key).start({ writers: 2, walkers: 1, readers: 2 });
      await sleep(1000);
      const begunMs = performance.now();
      const connections = await idleConnections(port, CONNECTIONS);
      const openedMs = performance.now() - begunMs;
      const open = connections.open();
      const slowestMs = await slowestProbe(address, key);
      connections.close();
      await sleep(1000);
      const words = `${CONNECTIONS} opened in ${seconds(openedMs)}, ${open} of them kept; a new client waited ${seconds(slowestMs)} at most`;
      const result = judge(await load.stop(), { failed: 0, longestMs: 3000 }, words);
      const problems = slowestMs > PROBES_LIMIT_MS ? ['a new client waited too long'] : [];
      return { ...result, problems: [...result.problems, ...problems] };
    }),
};

/** Opens a new connection for each request. @param {string} address @param {string} key */
async function slowestProbe(address, key) {
  let slowestMs = 0;
  for (let n = 0; n < 50; n += 1) {
    const client = new PlainClient(address, key);
    const { status, ms } = await client.send('GET', n % 2 === 0 ? '/health/live' : '/items?limit=1');
    client.close();
    slowestMs = Math.max(slowestMs, status === 200 ? ms : Number.POSITIVE_INFINITY);
    await sleep(20);
  }
  return slowestMs;
}

export const machineFaults = [
  diskFull,
  clockRow('-5m', 'one', '−5 minutes'),
  clockRow('+5m', 'one', '+5 minutes'),
  clockRow('-2h', 'both', '−2 hours'),
  idle,
];
