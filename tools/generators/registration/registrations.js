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
 * Every place where a collection is made known: one line for each of the three packages that it has a part in. Scopes and
 * roles, routes, the API document, migrations and specs follow from them.
 * @param {import('../plan/plan.js').Plan} plan
 * @returns {Registration[]}
 */
export function registrations({ names }) {
  const { type, types, variables, singular, plural } = names;
  return [
    statementIn(
      'libs/contracts/src/collections.ts',
      `export { ${variables}, type ${type}, type ${type}Input } from './${singular}.js';`,
    ),
    statementIn('libs/dtos/src/index.ts', `export { ${type}InputDto } from './${singular}-input.dto.js';`),
    statementIn(
      'apps/api/src/collection-modules.ts',
      `export { ${types}Module } from './${plural}/${plural}.module.js';`,
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
