/**
 * Puts an import or an export where the path that it names sorts in.
 * @param {string} text of a file.
 * @param {string} statement in one line: `export { A } from './a.js';`
 */
export function addStatement(text, statement) {
  const [keyword = ''] = statement.split(' ');
  const path = pathIn(statement);
  const found = [...text.matchAll(new RegExp(`^${keyword} [^;]*?from '(\\.[^']*)';\\n`, 'gm'))];
  const next = found.find(([, other = '']) => other > path);
  const last = found.at(-1);
  const at = next?.index ?? (last === undefined ? 0 : last.index + last[0].length);
  return `${text.slice(0, at)}${statement}\n${text.slice(at)}`;
}

/** @param {string} text @param {string} statement */
export function removeStatement(text, statement) {
  return text.replace(`${statement}\n`, '');
}

/** @param {string} text @param {string} statement */
export function hasStatement(text, statement) {
  return text.includes(`${statement}\n`);
}

/** @param {string} statement */
function pathIn(statement) {
  return /from '([^']*)'/.exec(statement)?.[1] ?? '';
}
