import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/*
 * Loaded into the service with `--import`. On `{ measure: 'start' }` from the parent process, starts to count executed
 * functions. On `{ measure: 'take' }`, sends the counted functions of our files.
 */
const session = new Session();
session.connect();
await session.post('Profiler.enable');

export interface Entered {
  file: string;
  functions: { name: string; line: number; calls: number }[];
}

process.on('message', async ({ measure }: { measure?: string }) => {
  if (measure === 'start') {
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // Discards the functions that ran before the start.
    await session.post('Profiler.takePreciseCoverage');
    process.send?.({ measured: [] });
  } else if (measure === 'take') {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    process.send?.({ measured: result.filter(({ url }) => isOurs(url)).flatMap(entered) });
  }
});
process.channel?.unref();

function isOurs(url: string) {
  return url.startsWith('file:') && /\/(libs|apps)\/.*\/dist\//.test(url) && !url.includes('node_modules');
}

function entered({ url, functions }: Profiler.ScriptCoverage): Entered[] {
  const run = functions.filter(({ functionName, ranges }) => (ranges[0]?.count ?? 0) > 0 && functionName !== '');
  const anonymous = functions.filter(
    ({ functionName, ranges }) => functionName === '' && (ranges[0]?.count ?? 0) > 0 && ranges[0]?.startOffset !== 0,
  );
  const all = [...run, ...anonymous].map(({ functionName, ranges }) => ({
    name: functionName,
    line: ranges[0]?.startOffset ?? 0,
    calls: ranges[0]?.count ?? 0,
  }));
  return all.length === 0 ? [] : [{ file: fileURLToPath(url), functions: all }];
}
