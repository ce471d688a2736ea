import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort, ROOMY, Site, startPostgres, waitUntil } from '@items/testing';

import { workspacePath } from '../workspace/root.ts';
import { MixedLoad } from './mixed-load.ts';
import { growthOf } from './trend.ts';

const KEY = 'soak-key-that-is-long-enough-for-the-service';
const CLIENTS = 4;
const SAMPLES = 60;
/** Maximum growth of the live heap after the warm-up. */
const MOST_GROWTH_BYTES = 2 * 1024 * 1024;

/** Loads one instance, and measures its live heap after garbage collections. */
export async function soak(database: string, minutes: number): Promise<{ holds: boolean; text: string }> {
  const site = new Site();
  try {
    const url = database === 'sqlite' ? `sqlite:${join(site.folder, 'items.sqlite')}` : (await startPostgres(site)).url;
    const { address, child } = await startProbed(site, url);
    const load = new MixedLoad(address, KEY);
    load.start(CLIENTS);
    const samples = await sampled(child, minutes, (text) => console.log(`${database}: ${text}`));
    await load.stop();
    return verdict(database, samples, load);
  } finally {
    await site.stop();
  }
}

async function startProbed(site: Site, url: string) {
  const port = await freePort();
  const child = fork(workspacePath('apps/api/dist/main.js'), [], {
    cwd: site.folder,
    execArgv: ['--import', new URL('heap-probe.ts', import.meta.url).href],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATABASE_URL: url,
      ADMIN_API_KEY: KEY,
      ...ROOMY,
      // A short lifetime, so that versions and cached cursors expire many times within the soak.
      CURSOR_TTL: '60',
      STOP_DELAY: '0',
      SOAK_LEAK: process.env['SOAK_LEAK'],
    },
  });
  site.atEnd(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const address = `http://127.0.0.1:${port}`;
  await waitUntil('the service is ready', () => fetch(`${address}/health/ready`).then(({ ok }) => ok), 60_000);
  return { address, child };
}

async function sampled(child: ChildProcess, minutes: number, say: (text: string) => void) {
  const begunMs = performance.now();
  const samples = [];
  while (samples.length < SAMPLES) {
    await sleep(Math.max(0, begunMs + (samples.length * minutes * 60_000) / (SAMPLES - 1) - performance.now()));
    child.send('heap');
    const [{ heapUsed, external, rss }] = await once(child, 'message');
    const minute = (performance.now() - begunMs) / 60_000;
    samples.push({ minute, bytes: heapUsed + external, rss });
    if (samples.length % 6 === 1)
      say(`${minute.toFixed(1)} min: live heap ${megabytes(heapUsed + external)}, resident memory ${megabytes(rss)}`);
  }
  return samples;
}

function verdict(
  database: string,
  samples: Awaited<ReturnType<typeof sampled>>,
  { requests, unavailable, unexpected }: MixedLoad,
) {
  const { grownBytes, minutes } = growthOf(samples);
  const [first, last] = [
    samples.find(({ minute }) => minute >= (samples.at(-1)?.minute ?? 0) - minutes),
    samples.at(-1),
  ];
  const problems = [...unexpected].map(([what, count]) => `${count} times ${what}`);
  if (!(grownBytes <= MOST_GROWTH_BYTES))
    problems.push(`the live heap grows by more than ${megabytes(MOST_GROWTH_BYTES)}`);
  const figures =
    `${requests} requests, ${unavailable} of them answered 503; ${megabytes(first?.bytes ?? 0)} alive after the warm-up, ${megabytes(last?.bytes ?? 0)} at the end; ` +
    `by its slope it changed by ${megabytes(grownBytes)} in ${minutes.toFixed(1)} min; ${megabytes(last?.rss ?? 0)} in all`;
  const holds = problems.length === 0;
  return { holds, text: `${database}: ${holds ? 'flat' : problems.join('; ')}. ${figures}` };
}

function megabytes(bytes: number) {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
