import { setTimeout as sleep } from 'node:timers/promises';

import type { Cluster } from '@items/testing';

import { CLUSTER, expectHeld, fault, seconds } from './fault.js';
import { Load } from './load.js';
import { onCluster } from './topologies.js';

const PAUSE_SECONDS = 40;

/** Restarts both instances one after another, like a deployment. */
async function rollingRestart({ address, key, instances }: Cluster): Promise<void> {
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
  expectHeld(await load.stop(), { failed: 0 }, `${seconds(tookMs)} for both`);
}

fault(
  'rolling-restart',
  "Rolling restart of both instances behind HAProxy, by its defaults ('inter 2s fall 3')",
  CLUSTER,
  () => onCluster({}, rollingRestart),
);

fault('rolling-restart-retries-0', "Rolling restart behind a HAProxy that repeats nothing ('retries 0')", CLUSTER, () =>
  onCluster({ changeProxy: (text) => text.replace('retries 3', 'retries 0') }, rollingRestart),
);

fault('instance-killed', 'kill -9 of one of two instances, which starts again 3 s later', CLUSTER, () =>
  onCluster({}, async ({ address, key, instances: [first] }) => {
    const load = new Load(address, key).start();
    await sleep(3000);
    await first.program.kill();
    const since = performance.now();
    await sleep(3000);
    await first.startAgain();
    await sleep(6000);
    // Only requests in progress may fail: the proxy retries reads, but not writes.
    expectHeld(await load.stop(), { failed: 12, back: { since, within: 500 } });
  }),
);

fault('instance-paused', `SIGSTOP of one of two instances for ${PAUSE_SECONDS} s`, CLUSTER, () =>
  onCluster({}, async ({ address, key, instances: [first] }) => {
    const load = new Load(address, key).start();
    await sleep(3000);
    first.program.signal('SIGSTOP');
    const since = performance.now();
    await sleep(PAUSE_SECONDS * 1000);
    first.program.signal('SIGCONT');
    await sleep(6000);
    // The proxy notices the pause after 6–8 s. Earlier requests wait for the timeout of the proxy (30 s).
    expectHeld(await load.stop(), { failed: 40, back: { since, within: 45_000 } });
  }),
);
