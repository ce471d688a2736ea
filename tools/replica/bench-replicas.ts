import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createClient, type Item } from '@items/client';
import { createReplica, memoryStore } from '@items/client/replica';
import { startApp } from '@items/testing';

/* `npm run tool -- bench-replicas`: measures memory and CPU of a service on SQLite with waiting replicas (Linux). */
const ROWS = 10;
const CHANGES = 10;
/** Time for a change to reach all replicas. */
const ROUND_MS = 6000;
const IDLE_MS = 30_000;
/** Clock ticks of Linux per second. */
const TICKS = 100;

const { values } = parseArgs({
  options: { count: { type: 'string', multiple: true, default: ['200', '1000', '2000'] } },
});
for (const count of values.count) {
  const { memory, idleShare, perChange, statuses } = await measureWaiting(Number(count));
  const cost = `${(1000 * perChange).toFixed(0)} ms of CPU for each change`;
  console.log(
    `${count} replicas: ${memory.toFixed(0)} MiB, ${(100 * idleShare).toFixed(1)} % CPU at rest, ${cost} (${statuses})`,
  );
}
process.exit(0);

async function measureWaiting(count: number) {
  const app = await startApp({ database: 'sqlite' });
  const client = createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey } });
  const one = () => createReplica({ source: client.items, store: memoryStore<Item>() });
  const replicas = [];
  try {
    for (let price = 0; price < ROWS; price += 1) await client.items.create({ name: 'Mug', price });
    const alone = memoryOf(app.process.pid);
    while (replicas.length < count) {
      const batch = Array.from({ length: 50 }, one);
      await Promise.all(batch.map((replica) => replica.start()));
      replicas.push(...batch);
    }
    await sleep(ROUND_MS);
    const memory = memoryOf(app.process.pid) - alone;
    const idle = await cpuDuring(app.process.pid, () => sleep(IDLE_MS));
    const busy = await cpuDuring(app.process.pid, async () => {
      for (let change = 0; change < CHANGES; change += 1) {
        await client.items.create({ name: 'Cup', price: change });
        await sleep(ROUND_MS);
      }
    });
    const idleShare = idle / (IDLE_MS / 1000);
    const perChange = (busy - (idleShare * CHANGES * ROUND_MS) / 1000) / CHANGES;
    const following = replicas.filter(({ status, size }) => status === 'following' && size === ROWS + CHANGES).length;
    return { memory, idleShare, perChange, statuses: `${following} are up to date` };
  } finally {
    await app.stop('SIGKILL');
    await Promise.all(replicas.map((replica) => replica.stop()));
  }
}

/** Returns the resident memory in MiB. */
function memoryOf(pid: number) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Returns the CPU time in seconds. */
async function cpuDuring(pid: number, run: () => Promise<unknown>) {
  const before = cpuOf(pid);
  await run();
  return cpuOf(pid) - before;
}

function cpuOf(pid: number) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
