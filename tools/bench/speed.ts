import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LoadProcess } from './load/load-process.ts';
import { cpuRatios, sampleRounds } from './measure.ts';
import { pin } from './pin.ts';
import { rows } from './requests.ts';
import { seed } from './seeded.ts';
import { systems, type Started } from './systems.ts';

/*
 * The check `speed` of `npm test`: limits the CPU time of a get and a cursor page of the built service relative to
 * bare Fastify. A ratio of CPU times in neighbouring rounds is robust against other load on the machine. `npm run
 * bench` gives the actual figures.
 */
/** Minimum of Fastify's CPU time divided by that of the service: 0.4 allows the service 2.5 times as much. */
const MIN_RATIO = { get: 0.4, cursor: 0.58 };
const ITEMS = 2000;
const CONNECTIONS = 32;
const effort = { rounds: 9, seconds: 3, count: 600, warmUp: 4000 };
/** Number of measurements. A real regression fails each measurement. */
const ATTEMPTS = 2;

const folder = mkdtempSync(join(tmpdir(), 'items-bench-'));
const generator = new LoadProcess();
const started: Started[] = [];
try {
  pin(process.pid, 'load');
  const { ids, fresh } = await seed('sqlite', ITEMS, { folder });
  for (const name of ['fastify', 'items']) {
    const system = systems.find((one) => one.name === name);
    if (system) started.push({ system, running: await system.start(await fresh(name)) });
  }
  for (const { name, of } of rows) {
    if (name !== 'get' && name !== 'cursor') continue;
    const found = await Promise.all(started.map(({ system, running }) => of(system, running, ids)));
    const contestants = found.filter((one) => one !== undefined);
    let best = 0;
    for (let attempt = 0; attempt < ATTEMPTS && best < MIN_RATIO[name]; attempt++) {
      const [baseline = [], service = []] = await sampleRounds(generator, contestants, CONNECTIONS, effort);
      best = Math.max(best, cpuRatios(baseline, service).median);
    }
    const told = `${name}: bare Fastify's CPU is ${best.toFixed(2)} of the service's, ${MIN_RATIO[name]} at least`;
    console.log(told);
    if (best < MIN_RATIO[name]) {
      console.error(`${told}. \`node --cpu-prof\` shows the cause.`);
      process.exitCode = 1;
    }
  }
} finally {
  generator.stop();
  for (const { running } of started) await running.process.stop();
  rmSync(folder, { recursive: true });
}
