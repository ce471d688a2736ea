/**
 * Inserts an export, sorted by its path.
 * @param {string} text text of a file.
 * @param {string} statement on one line: `export { a } from './a.js';`
 */
export function addStatement(text, statement) {
  const path = pathIn(statement);
  const found = [...text.matchAll(/^export .* from '(\.[^']*)';\n/gm)];
  const next = found.find(([, other = '']) => other > path);
  const at = next?.index ?? text.length;
  return `${text.slice(0, at)}${statement}\n${text.slice(at)}`;
}

/** @param {string} text @param {string} statement */
export function removeStatement(text, statement) {
  return text.replace(`${statement}\n`, '');
}

/** @param {string} text @param {string} statement */
export function hasStatement(text, statement) {
  return text.split('\n').includes(statement);
}

/** @param {string} statement */
function pathIn(statement) {
  return /from '([^']*)'/.exec(statement)?.[1] ?? '';
}
