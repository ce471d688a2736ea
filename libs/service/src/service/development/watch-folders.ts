import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { basename, join } from 'node:path';

/** Excludes backup copies and swap files of editors. */
const SOURCE = /^(?!\.#)[^~]+\.([cm]?tsx?|json)$/;

/**
 * Watches folders and their subfolders, including later ones. Each folder has a watcher, because on Linux, recursive
 * watchers of Node lose files that an editor replaces.
 * @param onChange gets the path of the changed file, or of the new folder.
 * @returns a function that ends the watch.
 */
export function watchFolders(roots: readonly string[], onChange: (path: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  const forget = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  /** Returns false if the folder no longer exists. Its removal causes another event. */
  const add = (folder: string): boolean => {
    try {
      const watcher = watch(folder, (event, name) => {
        if (event === 'rename') addNew().forEach(onChange);
        if (name !== null && SOURCE.test(basename(name))) onChange(join(folder, name));
      });
      watcher.on('error', () => {
        forget(folder);
      });
      watchers.set(folder, watcher);
      return true;
    } catch {
      return false;
    }
  };
  const addNew = (): string[] => {
    const folders = new Set(roots.flatMap((root) => [root, ...foldersIn(root)]));
    for (const known of watchers.keys()) if (!folders.has(known)) forget(known);
    return [...folders].filter((folder) => !watchers.has(folder) && add(folder));
  };
  addNew();
  return () => {
    [...watchers.keys()].forEach(forget);
  };
}

/** Returns no folders if one is removed during the call. The removal causes another event. */
function foldersIn(root: string): string[] {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
