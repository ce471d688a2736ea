import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { isPinned } from './pin.ts';
import { rows } from './requests.ts';
import { spreadOf } from './statistics.ts';
import { systems } from './systems.ts';

/** Samples of all rounds of all starts. */
interface Figures {
  rates: number[];
  cpu: number[];
  p50: number[];
  p99: number[];
}

type BySystem<T> = Record<string, T>;

export async function beginRun(
  dialect: 'sqlite' | 'postgres',
  size: number,
  effort: { starts: number; rounds: number; seconds: number },
) {
  return {
    dialect,
    size,
    effort,
    date: new Date().toISOString().slice(0, 10),
    begunAt: performance.now(),
    busyBefore: await busyShare(),
    truths: {} as BySystem<Record<string, string>>,
    /** By row. */
    requests: {} as Record<string, BySystem<Figures>>,
    processes: {} as BySystem<{ startMs: number; idleMb: number; loadedMb: number }[]>,
  };
}

type Run = Awaited<ReturnType<typeof beginRun>>;

const truths = [
  ['walks', 'rows skipped or doubled in walks while 4 writers change prices'],
  ['killedRows', 'acknowledged rows missing after `kill -9`, three times'],
  ['killedEvents', 'events of these rows missing'],
  ['lost', 'rows doubled by a repetition after a lost response'],
  ['mistakes', 'mistakes that get the same bytes twice'],
];

/** Formats a run as the page in docs/benchmarks. */
export function markdownOf(run: Run) {
  const { dialect, size, effort, truths: found, processes } = run;
  const name = dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  const amount = size.toLocaleString('en');
  const figures = (what: keyof Figures, digits: number) =>
    rows.map(({ name: row, title }) => [
      title,
      ...systems.map(({ name: system }) => spread(run.requests[row]?.[system]?.[what], digits)),
    ]);
  const process = (what: 'startMs' | 'idleMb' | 'loadedMb') =>
    systems.map((system) =>
      spread(
        processes[system.name]?.map((one) => one[what]),
        0,
      ),
    );
  return [
    `# ${name}, ${amount} rows`,
    `${conditionsOf(run)} [Method and columns](README.md). Cells are medians with quartiles.`,
    '## What is still true at these rates',
    table(truths.map(([key = '', title = '']) => [title, ...systems.map((system) => found[system.name]?.[key] ?? '')])),
    '## Requests a second',
    table(figures('rates', 0)),
    '## CPU for each request, µs',
    table(figures('cpu', 0)),
    '## p50 at half of that rate, ms',
    table(figures('p50', 2)),
    '## p99 at half of that rate, ms',
    table(figures('p99', 1)),
    '## Process',
    table([
      [`start until the first page of ${amount} rows, ms`, ...process('startMs')],
      ['memory after the start, MB', ...process('idleMb')],
      [`memory after all loads, MB`, ...process('loadedMb')],
    ]),
    `The command took ${Math.round((performance.now() - run.begunAt) / 60_000)} minutes; ${effort.starts} fresh starts.\n`,
  ].join('\n\n');
}

function conditionsOf({ date, busyBefore, effort }: Run) {
  const processors = cpus();
  const busy = busyBefore > 0.1 ? `, **while other work took ${(100 * busyBefore).toFixed(0)} % of the CPU**` : '';
  const cores = isPinned ? 'the server on one core, the load on another' : 'no cores pinned';
  return (
    `Node ${process.versions.node}, ${date}, ${processors.length} × ${processors[0]?.model.trim()}, ${cores}${busy}; ` +
    `${effort.starts} fresh starts of ${effort.rounds} rounds of ${effort.seconds} s each, 32 connections.`
  );
}

/** Measures for a second the share of the CPU (0 to 1) that other work uses. */
async function busyShare() {
  const times = () => {
    const all = cpus().map((cpu) => cpu.times);
    const sum = all.flatMap((one) => Object.values(one)).reduce((a, b) => a + b, 0);
    return { sum, idle: all.reduce((a, { idle }) => a + idle, 0) };
  };
  const before = times();
  await sleep(1000);
  const after = times();
  return 1 - (after.idle - before.idle) / (after.sum - before.sum);
}

function table(lines: string[][]) {
  const head = ['', ...systems.map(({ title }) => title)];
  return [head, head.map((_, index) => (index === 0 ? '---' : '--:')), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function spread(values: readonly number[] | undefined, digits: number) {
  if (values === undefined || values.length === 0) return 'none';
  const { lower, median, upper } = spreadOf(values);
  const [low, middle, high] = [lower, median, upper].map((value) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  return `${middle} (${low}–${high})`;
}
