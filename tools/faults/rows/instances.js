import { setTimeout as sleep } from 'node:timers/promises';

import { judge, seconds } from '../fault.js';
import { Load } from '../load.js';
import { onCluster } from '../topologies.js';

/** @typedef {import('../fault.js').Fault} Fault */

/**
 * Restarts both instances one after another, like a deployment.
 * @param {import('../../cluster/start-cluster.ts').Cluster} cluster
 */
async function rollingRestart({ address, key, instances }) {
  const load = new Load(address, key).start({ writers: 8, walkers: 2, readers: 8 });
  await sleep(2000);
  const begunMs = performance.now();
  for (const { program, startAgain } of instances) {
    await program.end();
    await startAgain();
    // Wait until the proxy uses the instance again (`inter 2s rise 2`).
    await sleep(5000);
  }
  const tookMs = performance.now() - begunMs;
  return judge(await load.stop(), { failed: 0 }, `${seconds(tookMs)} for both`);
}

/** @type {Fault} */
const rolling = {
  name: 'rolling-restart',
  title: "Rolling restart of both instances behind HAProxy, by its defaults ('inter 2s fall 3')",
  run: () => onCluster({}, rollingRestart),
};

/** @type {Fault} */
const rollingWithoutRetries = {
  name: 'rolling-restart-retries-0',
  title: "The same where HAProxy repeats nothing ('retries 0')",
  run: () => onCluster({ changeProxy: (text) => text.replace('retries 3', 'retries 0') }, rollingRestart),
};

/** @type {Fault} */
const killed = {
  name: 'instance-killed',
  title: 'kill -9 of one of two instances, which starts again 3 s later',
  run: () =>
    onCluster({}, async ({ address, key, instances: [first] }) => {
      const load = new Load(address, key).start();
      await sleep(3000);
      await first.program.kill();
      const since = performance.now();
      await sleep(3000);
      await first.startAgain();
      await sleep(6000);
      // Only requests in progress may fail: the proxy retries reads, but not writes.
      return judge(await load.stop(), { failed: 12, back: { since, within: 500 } });
    }),
};

const PAUSE_SECONDS = 40;

/** @type {Fault} */
const paused = {
  name: 'instance-paused',
  title: `SIGSTOP of one of two instances for ${PAUSE_SECONDS} s`,
  run: () =>
    onCluster({}, async ({ address, key, instances: [first] }) => {
      const load = new Load(address, key).start();
      await sleep(3000);
      first.program.signal('SIGSTOP');
      const since = performance.now();
      await sleep(PAUSE_SECONDS * 1000);
      first.program.signal('SIGCONT');
      await sleep(6000);
      // Requests in progress, and those before the proxy noticed (6–8 s), wait for the timeout of the proxy (30 s).
      return judge(await load.stop(), { failed: 40, back: { since, within: 45_000 } });
    }),
};

export const instanceFaults = [rolling, rollingWithoutRetries, killed, paused];
