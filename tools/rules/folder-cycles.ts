import { dirname, join } from 'node:path';

const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)\.js'/g;

/**
 * Finds folders that import each other, directly or through others. Folders are compared below their common parent, so a
 * folder and a folder inside it do not count, and `a/x` importing `b/y` is an import of `b` by `a`.
 * @returns each cycle as its folders, sorted and joined by ` ↔ `.
 */
export function folderCycles(sources: ReadonlyMap<string, string>): string[] {
  const imports = folderImports(sources);
  const folders = [...imports.keys()].sort();
  const reached = new Map(folders.map((folder) => [folder, reachedFrom(folder, imports)]));
  const cycles = folders.map((folder) => {
    const others = folders.filter((other) => reached.get(folder)?.has(other) && reached.get(other)?.has(folder));
    return others.length > 1 ? others.join(' ↔ ') : '';
  });
  return [...new Set(cycles)].filter((cycle) => cycle !== '');
}

function folderImports(sources: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const [file, text] of sources) {
    for (const [, path = ''] of text.matchAll(IMPORT)) {
      const imported = `${join(dirname(file), path)}.ts`;
      const pair = sources.has(imported) ? differingFolders(dirname(file), dirname(imported)) : undefined;
      if (pair === undefined) continue;
      imports.set(pair[0], (imports.get(pair[0]) ?? new Set()).add(pair[1]));
    }
  }
  return imports;
}

/** Cuts both paths after their first difference. Returns undefined if one contains the other. */
function differingFolders(from: string, to: string): [string, string] | undefined {
  const [a, b] = [from.split('/'), to.split('/')];
  const index = a.findIndex((name, position) => name !== b[position]);
  if (index === -1 || index >= b.length) return undefined;
  return [a.slice(0, index + 1).join('/'), b.slice(0, index + 1).join('/')];
}

function reachedFrom(start: string, imports: ReadonlyMap<string, ReadonlySet<string>>) {
  const reached = new Set();
  const pending = [start];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const next of imports.get(folder) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      pending.push(next);
    }
  }
  return reached;
}
