import { join } from 'node:path';
import { generateFiles } from '@nx/devkit';
import { workspaceRoot } from '../../workspace/root.js';
import { templateValues } from './template-values.js';

/** Folder with the paths of the workspace. Text between double underscores is replaced by a name of the collection. */
const TEMPLATES = join(workspaceRoot, 'tools/generators/templates');

/**
 * Returns all files of a collection, not yet formatted.
 * @param {import('../plan/plan.js').Plan} plan
 * @returns {{ path: string, text: string }[]}
 */
export function collectionFiles(plan) {
  /** @type {{ path: string, text: string }[]} */
  const files = [];
  /** @param {string} path @param {string | Buffer} text */
  const write = (path, text) => {
    files.push({ path, text: String(text) });
  };
  const tree = /** @type {import('@nx/devkit').Tree} */ (/** @type {unknown} */ ({ write, exists: () => false }));
  generateFiles(tree, TEMPLATES, '.', templateValues(plan));
  return files;
}
