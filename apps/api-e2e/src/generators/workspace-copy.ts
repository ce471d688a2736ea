import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { workspaceRoot } from '@items/tools/workspace/root.ts';

/** Folders that a fresh clone lacks. Builds are copied nevertheless, which saves half a minute. */
const NOT_COPIED = ['node_modules', '.git', '.nx', 'coverage', 'data', 'tmp'];

/**
 * Creates a copy of the workspace for experiments. It shares all packages with the original, except those of the
 * workspace.
 */
export function copyWorkspace(): { readonly root: string; readonly discard: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'items-workspace-'));
  cpSync(workspaceRoot, root, {
    recursive: true,
    preserveTimestamps: true,
    filter: (source) => !NOT_COPIED.includes(relative(workspaceRoot, source)),
  });
  linkPackages(join(root, 'node_modules'));
  return {
    root,
    discard: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function linkPackages(folder: string): void {
  const shared = join(workspaceRoot, 'node_modules');
  mkdirSync(folder);
  for (const name of readdirSync(shared)) if (name !== '@items') symlinkSync(join(shared, name), join(folder, name));
  // npm's links are relative. Copied unchanged, they lead into the copy.
  cpSync(join(shared, '@items'), join(folder, '@items'), { recursive: true, verbatimSymlinks: true });
}

/** Returns a hash of each source file, by path. */
export function contentsOf(root: string): Map<string, string> {
  const ignored = new Set([...NOT_COPIED, 'dist']);
  const contents = new Map<string, string>();
  const read = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (ignored.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) read(path);
      else if (entry.isFile()) {
        contents.set(relative(root, path), createHash('sha256').update(readFileSync(path)).digest('hex'));
      }
    }
  };
  read(root);
  return contents;
}
