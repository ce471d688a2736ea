/**
 * Puts an export where the path that it names sorts in.
 * @param {string} text of a file.
 * @param {string} statement in one line: `export { A } from './a.js';`
 */
export function addStatement(text, statement) {
  const path = pathIn(statement);
  const found = [...text.matchAll(/^export [^;]*?from '(\.[^']*)';\n/gm)];
  const next = found.find(([, other = '']) => other > path);
  const last = found.at(-1);
  const at = next?.index ?? (last === undefined ? text.length : last.index + last[0].length);
  return `${text.slice(0, at)}${statement}\n${text.slice(at)}`;
}

/** @param {string} text @param {string} statement */
export function removeStatement(text, statement) {
  return text.replace(formsOf(statement), '');
}

/** @param {string} text @param {string} statement */
export function hasStatement(text, statement) {
  return formsOf(statement).test(text);
}

/** In one line or, where it is long, in one for each name. @param {string} statement */
function formsOf(statement) {
  const words = statement.split(' ').map((word) => word.replaceAll(/[^\w ]/g, '\\$&'));
  return new RegExp(`^${words.join('\\s+').replace('\\s+\\}', ',?\\s+\\}')}\\n`, 'm');
}

/** @param {string} statement */
function pathIn(statement) {
  return /from '([^']*)'/.exec(statement)?.[1] ?? '';
}
