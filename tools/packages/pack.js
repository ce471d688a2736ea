import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';
import { runNpm } from '../workspace/run.js';

/** @typedef {{ name: string, filename: string, files: { path: string }[] }} Packed */

/**
 * Packs libs that are built.
 * @param {readonly import('./publishable.js').Package[]} packages
 * @param {string} target folder of the tarballs; it is made.
 * @returns {Promise<Packed[]>} as npm tells it.
 */
export async function pack(packages, target) {
  mkdirSync(target, { recursive: true });
  for (const { folder } of packages) removeStale(folder);
  const workspaces = packages.flatMap(({ name }) => ['--workspace', name]);
  const args = ['pack', ...workspaces, '--pack-destination', target, '--json', '--loglevel=error'];
  const { ok, output } = await runNpm(args, { output: 'collect', cwd: workspaceRoot });
  if (!ok) throw new Error(output);
  return Object.values(JSON.parse(output.slice(output.search(/^[[{]/m))));
}

/** A compiler leaves behind what it made of sources that are gone. */
function removeStale(/** @type {string} */ folder) {
  for (const file of filesIn(join(folder, 'dist'))) {
    const source = file.replace(/\.(d\.ts|js)(\.map)?$/, '.ts');
    if (source === file || source.startsWith('spec/') || existsSync(join(folder, 'src', source))) continue;
    rmSync(join(folder, 'dist', file));
  }
}

/** @returns {string[]} relative to the folder. */
function filesIn(/** @type {string} */ folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
