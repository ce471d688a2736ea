import { migrationFileName, migrationName } from '../files/migration-file.js';
import { addElement, hasElement, removeElement } from './elements.js';
import { addStatement, hasStatement, removeStatement } from './statements.js';

/**
 * One place where a collection is made known.
 * @typedef {object} Registration
 * @property {string} path
 * @property {(text: string) => string} add
 * @property {(text: string) => string} remove
 * @property {(text: string) => boolean} has
 */

/**
 * Every place where a collection is made known.
 * @param {import('../plan/plan.js').Plan} plan
 * @returns {Registration[]}
 */
export function registrations(plan) {
  const { type, types, singular, plural } = plan.names;
  const entity = `${type}Entity`;
  const module = `${types}Module`;
  const migration = migrationName(plan);
  return [
    statementIn('libs/contracts/src/index.ts', `export type { ${type}, ${type}Input } from './${singular}.js';`),
    elementOf('libs/contracts/src/scope.ts', 'export const SCOPES = [', `'${plural}:read'`),
    elementOf('libs/contracts/src/scope.ts', 'export const SCOPES = [', `'${plural}:write'`),
    elementOf('libs/contracts/src/role.ts', 'const MEMBER: readonly Scope[] = [', `'${plural}:write'`),
    statementIn('libs/dtos/src/index.ts', `export { ${type}InputDto } from './${singular}-input.dto.js';`),
    statementIn('apps/api/src/database/entities.ts', `import { ${entity} } from '../${plural}/${singular}.entity.js';`),
    elementOf('apps/api/src/database/entities.ts', 'export const entities = [', entity),
    statementIn('apps/api/src/migrations/index.ts', `import { ${migration} } from './${migrationFileName(plan)}.js';`),
    elementOf('apps/api/src/migrations/index.ts', 'export const migrations = [', migration),
    statementIn('apps/api/src/app.module.ts', `import { ${module} } from './${plural}/${plural}.module.js';`),
    elementOf('apps/api/src/app.module.ts', 'const features = [', module),
    elementOf(
      'apps/api/src/routes.spec.ts',
      'const COLLECTIONS = [',
      `'${plan.owned ? '/users/:user_id' : ''}/${plural}'`,
    ),
  ];
}

/** @param {string} path @param {string} statement @returns {Registration} */
function statementIn(path, statement) {
  return {
    path,
    add: (text) => addStatement(text, statement),
    remove: (text) => removeStatement(text, statement),
    has: (text) => hasStatement(text, statement),
  };
}

/** @param {string} path @param {string} opening @param {string} element @returns {Registration} */
function elementOf(path, opening, element) {
  return {
    path,
    add: (text) => addElement(text, opening, element),
    remove: (text) => removeElement(text, opening, element),
    has: (text) => hasElement(text, opening, element),
  };
}
