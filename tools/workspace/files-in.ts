import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { workspacePath, workspaceRoot } from './root.ts';

/** Returns the sorted paths of the files in a folder of the workspace, without specs. */
export function filesIn(folder: string) {
  const root = workspacePath(folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(workspaceRoot.length + 1))
    .sort();
}
