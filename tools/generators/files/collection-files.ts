import { generateFiles, type Tree } from '@nx/devkit';
import { workspacePath } from '../../workspace/root.ts';
import { templateValues } from './template-values.ts';
import type { Plan } from '../plan/plan.ts';

/** Folder with the paths of the workspace. Text between double underscores is replaced by a name of the collection. */
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
