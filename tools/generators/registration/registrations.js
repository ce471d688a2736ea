import { addStatement, hasStatement, removeStatement } from './statements.js';

/**
 * A line in an existing file that registers a collection.
 * @typedef {object} Registration
 * @property {string} path
 * @property {(text: string) => string} add
 * @property {(text: string) => string} remove
 * @property {(text: string) => boolean} has
 */

/**
 * Returns all registrations of a collection. Scopes, routes, tables, events and the API document follow from them.
 * @param {import('../plan/plan.js').Plan} plan
 * @returns {Registration[]}
 */
export function registrations({ names }) {
  const { variables, plural } = names;
  return [statementIn('apps/api/src/collections.ts', `export { ${variables} } from './${plural}.js';`)];
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
