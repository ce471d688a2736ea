import { generateFiles, type Tree } from '@nx/devkit';
import { workspacePath } from '../../workspace/root.ts';
import { templateValues } from './template-values.ts';
import type { Plan } from '../plan/plan.ts';

/** Templates by their paths in the workspace. A name of the collection replaces text between double underscores. */
const TEMPLATES = workspacePath('tools/generators/templates');

/** Returns all files of a collection, not yet formatted. */
export function collectionFiles(plan: Plan): { path: string; text: string }[] {
  const files: { path: string; text: string }[] = [];
  const write = (path: string, text: string | Buffer) => {
    files.push({ path, text: String(text) });
  };
  const tree = { write, exists: () => false } as unknown as Tree;
  generateFiles(tree, TEMPLATES, '.', templateValues(plan));
  return files;
}
