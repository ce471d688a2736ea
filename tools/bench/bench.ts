import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { providePostgres } from '@items/testing';

import { LoadProcess } from './load/load-process.ts';
import { load, sampleRounds } from './measure.ts';
import { pin } from './pin.ts';
import { beginRun, markdownOf } from './report.ts';
import { rows, type Row } from './requests.ts';
import { seed } from './seeded.ts';
import { workspacePath } from '../workspace/root.ts';
import { median } from './statistics.ts';
import { systems, type Started } from './systems.ts';
import { kill, loseResponses, repeatMistakes, ROWS, walk } from './truths.ts';

/*
 * `npm run bench`: compares this service (default settings, raised quotas) with other servers, on SQLite with 10 000
 * rows. First checks correctness under concurrent writes, then measures rates, CPU, latency, memory and start-up time.
 * `--database postgres` and `--rows 1000000` measure for the other pages in docs/benchmarks; `--write` replaces the
 * page; `--quick` is a trial run.
 */
const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    rows: { type: 'string', default: '10000' },
    // Declares the option only for `parseArgs`; systems.ts reads the value.
    'events-off': { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const dialect = options.database === 'postgres' ? 'postgres' : 'sqlite';
const size = Number(options.rows);
const CONNECTIONS = 32;
const effort = options.quick
  ? { starts: 1, rounds: 2, seconds: 0.2, pacedSeconds: 0.4, warmUpSeconds: 0.5, walks: 20, lost: 20 }
  : { starts: 3, rounds: 3, seconds: 0.5, pacedSeconds: 3, warmUpSeconds: 3, walks: 500, lost: 1000 };
/** Number of requests: V8 optimizes the code of a page only after thousands of calls. */
const WARM_UP = 6000;

for (const { prepare } of systems) await prepare?.();
const folder = mkdtempSync(join(tmpdir(), 'items-bench-'));
const server = dialect === 'postgres' ? await providePostgres() : undefined;
if (server !== undefined && server.url === undefined) throw new Error(server.note);
const where = { folder, server: server?.url };
const run = await beginRun(dialect, size, effort);
const generator = new LoadProcess();
const undo: (() => unknown)[] = [
  () => rmSync(folder, { recursive: true }),
  () => server?.stop(),
  () => generator.stop(),
];
try {
  pin(process.pid, 'load');
  await findTruths();
  await measureRequests();
  const page = markdownOf(run);
  console.log(page);
  const name = `${dialect}-${size}`;
  if (options.write) writeFileSync(workspacePath(`docs/benchmarks/${name}.md`), page);
} finally {
  for (const step of undo.reverse()) await step();
}

async function findTruths() {
  const small = await seed(dialect, ROWS, where);
  undo.push(small.drop);
  for (const system of systems) {
    const ids = system.serial ? small.ids.map((_, index) => String(index + 1)) : small.ids;
    const database = await small.fresh(system.name);
    const running = await system.start(database);
    const truths: Record<string, string> = {};
    try {
      truths.mistakes = await repeatMistakes(system, running);
      truths.walks = await walk(system, running, ids, effort.walks);
      truths.lost = await loseResponses(system, running, effort.lost);
    } finally {
      await running.process.stop();
    }
    const killed = await kill(system, () => system.start(database));
    run.truths[system.name] = { ...truths, killedRows: killed.rows, killedEvents: killed.events };
    console.log(system.title, run.truths[system.name]);
  }
}

async function measureRequests() {
  const seeded = await seed(dialect, size, where);
  undo.push(seeded.drop);
  const step = Math.max(1, Math.floor(size / seeded.ids.length));
  const serials = seeded.ids.map((_, index) => String(1 + index * step));
  for (let start = 0; start < effort.starts; start++) {
    const started = [];
    try {
      for (const system of systems) {
        const database = await seeded.fresh(system.name);
        const begun = performance.now();
        const running = await system.start(database);
        const response = await fetch(running.address + system.totalPath, { headers: running.headers });
        if (!response.ok) throw new Error(`${system.title}: ${response.status}`);
        const startMs = performance.now() - begun;
        const { rssBytes } = await running.process.use();
        started.push({ system, running, startMs, idleMb: rssBytes / 1e6 });
      }
      for (const row of rows) await measureRow(row, started, seeded.ids, serials);
      for (const { system, running, startMs, idleMb } of started) {
        const { rssBytes } = await running.process.use();
        (run.processes[system.name] ??= []).push({ startMs, idleMb, loadedMb: rssBytes / 1e6 });
      }
    } finally {
      for (const { running } of started) await running.process.stop();
    }
    console.log(`start ${start + 1} of ${effort.starts} is measured`);
  }
}

async function measureRow(row: Row, started: Started[], ids: string[], serials: string[]) {
  const found = [];
  for (const { system, running } of started) {
    const contestant = await row.of(system, running, system.serial ? serials : ids);
    if (contestant !== undefined) found.push({ name: system.name, contestant });
  }
  const contestants = found.map(({ contestant }) => contestant);
  const samples = await sampleRounds(generator, contestants, CONNECTIONS, { ...effort, warmUp: WARM_UP });
  for (const [index, { name, contestant }] of found.entries()) {
    const own = samples[index] ?? [];
    const perSecond = Math.max(1, median(own.map(({ requestsPerSecond }) => requestsPerSecond)) / 2);
    const paced = await load(generator, contestant, CONNECTIONS, { seconds: effort.pacedSeconds, perSecond });
    const result = ((run.requests[row.name] ??= {})[name] ??= { rates: [], cpu: [], p50: [], p99: [] });
    result.rates.push(...own.map(({ requestsPerSecond }) => requestsPerSecond));
    result.cpu.push(...own.map(({ cpuMicros }) => cpuMicros));
    result.p50.push(paced.p50Ms);
    result.p99.push(paced.p99Ms);
  }
}
