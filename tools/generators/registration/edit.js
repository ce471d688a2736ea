import { formatted } from '../files/formatted.js';

/**
 * Changes a file that is there.
 * @param {import('@nx/devkit').Tree} tree
 * @param {string} path
 * @param {(text: string) => string} change
 */
export async function edit(tree, path, change) {
  try {
    tree.write(path, await formatted(tree, path, change(textOf(tree, path))));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** @param {import('@nx/devkit').Tree} tree @param {string} path */
export function textOf(tree, path) {
  const text = tree.read(path, 'utf8');
  if (text === null) throw new Error(`There is no ${path}: is this the workspace of the service?`);
  return text;
}
