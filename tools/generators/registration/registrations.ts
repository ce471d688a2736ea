import type { Tree } from '@nx/devkit';
import { addStatement, hasStatement, removeStatement } from './statements.ts';
import type { Plan } from '../plan/plan.ts';

/** A line in an existing file that registers a collection. */
export interface Registration {
  path: string;
  add: (text: string) => string;
  remove: (text: string) => string;
  has: (text: string) => boolean;
}

/** Returns all lines that register a collection. The service derives everything else. */
export function registrations({ names }: Plan): Registration[] {
  const { variables, plural } = names;
  return [statementIn('apps/api/src/collections.ts', `export { ${variables} } from './${plural}.js';`)];
}

function statementIn(path: string, statement: string): Registration {
  return {
    path,
    add: (text) => addStatement(text, statement),
    remove: (text) => removeStatement(text, statement),
    has: (text) => hasStatement(text, statement),
  };
}

export function edit(tree: Tree, path: string, change: (text: string) => string) {
  tree.write(path, change(textOf(tree, path)));
}

export function textOf(tree: Tree, path: string) {
  const text = tree.read(path, 'utf8');
  if (text === null) throw new Error(`There is no ${path}: is this the workspace of the service?`);
  return text;
}
