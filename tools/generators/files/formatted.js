import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import { format } from 'prettier/standalone';

/**
 * A file as `npm run format` leaves it.
 * @param {import('@nx/devkit').Tree} tree
 * @param {string} path
 * @param {string} text
 */
export async function formatted(tree, path, text) {
  const options = /** @type {import('prettier').Options} */ (JSON.parse(tree.read('.prettierrc.json', 'utf8') ?? '{}'));
  // Named, since prettier would import them on its own, which it cannot within Jest.
  return format(text, { ...options, filepath: path, plugins: [estree, typescript] });
}
