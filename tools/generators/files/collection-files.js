import { contractFile } from './contract-file.js';
import { definitionFile } from './definition-file.js';
import { dtoFile } from './dto-file.js';
import { e2eFile } from './e2e-file.js';
import { entityFile } from './entity-file.js';
import { migrationFile } from './migration-file.js';
import { moduleFile } from './module-file.js';

/**
 * Every file of a collection, not yet formatted.
 * @param {import('../plan/plan.js').Plan} plan
 * @returns {{ path: string, text: string }[]}
 */
export function collectionFiles(plan) {
  return [contractFile, dtoFile, entityFile, definitionFile, moduleFile, migrationFile, e2eFile].map((file) =>
    file(plan),
  );
}
