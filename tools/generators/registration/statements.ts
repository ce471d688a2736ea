/** Inserts an export on one line, sorted by its path. */
export function addStatement(text: string, statement: string) {
  const path = pathIn(statement);
  const found = [...text.matchAll(/^export .* from '(\.[^']*)';\n/gm)];
  const next = found.find(([, other = '']) => other > path);
  const at = next?.index ?? text.length;
  return `${text.slice(0, at)}${statement}\n${text.slice(at)}`;
}

export function removeStatement(text: string, statement: string) {
  return text.replace(`${statement}\n`, '');
}

export function hasStatement(text: string, statement: string) {
  return text.split('\n').includes(statement);
}

function pathIn(statement: string) {
  return /from '([^']*)'/.exec(statement)?.[1] ?? '';
}
