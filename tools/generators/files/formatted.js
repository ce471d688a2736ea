import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import { format } from 'prettier/standalone';

/**
 * Formats a file like `npm run format`.
 * @param {import('@nx/devkit').Tree} tree
 * @param {string} path
 * @param {string} text
 */
export async function formatted(tree, path, text) {
  const options = /** @type {import('prettier').Options} */ (JSON.parse(tree.read('.prettierrc.json', 'utf8') ?? '{}'));
  // Pass the plugins explicitly, because prettier cannot import them itself within Jest.
  return format(text, { ...options, filepath: path, plugins: [estree, typescript] });
}
