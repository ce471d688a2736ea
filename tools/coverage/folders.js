import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';

/** Where a run of `npm test` leaves its coverage: the report for people, and what it is made of. */
export const coverageFolder = join(workspaceRoot, 'coverage');

/** Jest's own, of the unit and integration tests (coverage-final.json). */
export const unitCoverage = join(coverageFolder, 'unit');

/** What V8 counted in the services that the black box tests started. */
export const rawCoverage = join(coverageFolder, 'service-raw');
