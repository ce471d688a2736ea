import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import { format } from 'prettier/standalone';
import type { Options } from 'prettier';
import type { Tree } from '@nx/devkit';

/** Formats a file like `npm run format`. */
export async function formatted(tree: Tree, path: string, text: string) {
  const options = JSON.parse(tree.read('.prettierrc.json', 'utf8') ?? '{}') as Options;
  // Pass the plugins explicitly, because prettier cannot import them itself within Jest.
  return format(text, { ...options, filepath: path, plugins: [estree, typescript] });
}
