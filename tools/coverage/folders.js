import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workspaceRoot } from '../workspace/root.js';

/** Where a run of `npm test` leaves its coverage: the report for people, and what it is made of. */
export const coverageFolder = join(workspaceRoot, 'coverage');

/** Where Jest counts what runs in its own processes (coverage-final.json): a folder for each check. */
export const jestCoverage = join(coverageFolder, 'jest');

/** What V8 counted in the services that the black box tests started. */
export const rawCoverage = join(coverageFolder, 'service-raw');

const builds = ['apps/api/dist/', 'libs/'].map((folder) => pathToFileURL(join(workspaceRoot, folder)).href);

/** Whether a script that runs in a service is ours. @param {string} url */
export function isCounted(url) {
  return builds.some((folder) => url.startsWith(folder)) && !url.includes('/node_modules/');
}
