import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workspacePath } from '../workspace/root.ts';

/** Output of `npm test`: the coverage report and its data. */
export const coverageFolder = workspacePath('coverage');

/** Coverage of Jest's own processes (coverage-final.json): one folder per check. */
export const jestCoverage = join(coverageFolder, 'jest');

/** Coverage by V8 of the services that black box tests started. */
export const rawCoverage = join(coverageFolder, 'service-raw');

const builds = ['apps/api/dist/', 'libs/'].map((folder) => pathToFileURL(workspacePath(folder)).href);

export function isCounted(url: string) {
  return builds.some((folder) => url.startsWith(folder)) && !url.includes('/node_modules/');
}
