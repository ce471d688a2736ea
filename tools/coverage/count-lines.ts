import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { isCounted, rawCoverage } from './folders.ts';

/*
 * Loaded with `node --import` into each service that a test starts. Records the coverage of our code, and writes it at
 * the end of the process. NODE_V8_COVERAGE would write 12 MB per process, mostly about packages.
 */
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
process.once('exit', () => {
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error;
    mkdirSync(rawCoverage, { recursive: true });
    const ours = result.filter(({ url }) => isCounted(url));
    writeFileSync(join(rawCoverage, `${process.pid}-${Date.now()}.json`), JSON.stringify({ result: ours }));
  });
});
