import type { Tree } from '@nx/devkit';

/** Changes an existing file. */
export function edit(tree: Tree, path: string, change: (text: string) => string) {
  tree.write(path, change(textOf(tree, path)));
}

export function textOf(tree: Tree, path: string) {
  const text = tree.read(path, 'utf8');
  if (text === null) throw new Error(`There is no ${path}: is this the workspace of the service?`);
  return text;
}
