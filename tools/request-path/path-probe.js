import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/*
 * Loaded into the service with `--import`. The message `{ measure: 'start' }` of the parent process starts counting
 * the executed functions, and `{ measure: 'take' }` returns those of our files since then.
 */
const session = new Session();
session.connect();
await session.post('Profiler.enable');

/** @typedef {{ file: string, functions: { name: string, line: number, calls: number }[] }} Entered */

process.on('message', async (/** @type {{ measure?: string }} */ { measure }) => {
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

function isOurs(/** @type {string} */ url) {
  return url.startsWith('file:') && /\/(libs|apps)\/.*\/dist\//.test(url) && !url.includes('node_modules');
}

/** @param {import('node:inspector').Profiler.ScriptCoverage} script @returns {Entered[]} */
function entered({ url, functions }) {
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
