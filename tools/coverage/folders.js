import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workspaceRoot } from '../workspace/root.js';

/** Output of `npm test`: the coverage report and its data. */
export const coverageFolder = join(workspaceRoot, 'coverage');

/** Coverage of Jest's own processes (coverage-final.json): one folder per check. */
export const jestCoverage = join(coverageFolder, 'jest');

/** Coverage by V8 of the services that black box tests started. */
export const rawCoverage = join(coverageFolder, 'service-raw');

const builds = ['apps/api/dist/', 'libs/'].map((folder) => pathToFileURL(join(workspaceRoot, folder)).href);

/** Checks if a script of a service is our code. @param {string} url */
export function isCounted(url) {
  return builds.some((folder) => url.startsWith(folder)) && !url.includes('/node_modules/');
}
