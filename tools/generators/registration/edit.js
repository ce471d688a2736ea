/**
 * Changes an existing file.
 * @param {import('@nx/devkit').Tree} tree
 * @param {string} path
 * @param {(text: string) => string} change
 */
export function edit(tree, path, change) {
  tree.write(path, change(textOf(tree, path)));
}

/** @param {import('@nx/devkit').Tree} tree @param {string} path */
export function textOf(tree, path) {
  const text = tree.read(path, 'utf8');
  if (text === null) throw new Error(`There is no ${path}: is this the workspace of the service?`);
  return text;
}
