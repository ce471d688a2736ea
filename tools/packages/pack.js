import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureConsoleBuilt } from '../workspace/build-console.ts';
import { workspaceRoot } from '../workspace/root.ts';
import { runNpm } from '../workspace/run.ts';

/**
 * @typedef {{ name: string, filename: string, files: { path: string }[], manifest: import('./publishable.js').Manifest }} Packed
 * the manifest in the tarball, which a lib may generate.
 */

/**
 * Packs built libs.
 * @param {readonly import('./publishable.js').Package[]} packages
 * @param {string} target folder for the tarballs; created if missing.
 * @returns {Promise<Packed[]>}
 */
export async function pack(packages, target) {
  mkdirSync(target, { recursive: true });
  await ensureConsoleBuilt();
  for (const { folder } of packages) removeStale(folder);
  const workspaces = packages.flatMap(({ name }) => ['--workspace', name]);
  const args = ['pack', ...workspaces, '--pack-destination', target, '--json', '--loglevel=error'];
  const { ok, output } = await runNpm(args, { output: 'collect', cwd: workspaceRoot });
  if (!ok) throw new Error(output);
  /** @type {Omit<Packed, 'manifest'>[]} output of npm. */
  const packed = Object.values(JSON.parse(output.slice(output.search(/^[[{]/m))));
  return packed.map((each) => ({ ...each, manifest: manifestIn(join(target, each.filename)) }));
}

function manifestIn(/** @type {string} */ tarball) {
  return JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }));
}

/** Removes compiled files whose sources no longer exist. @param {string} folder */
function removeStale(folder) {
  for (const file of filesIn(join(folder, 'dist'))) {
    const source = file.replace(/\.(d\.ts|js)(\.map)?$/, '.ts');
    if (source === file || source.startsWith('spec/') || existsSync(join(folder, 'src', source))) continue;
    rmSync(join(folder, 'dist', file));
  }
}

/** @param {string} folder @returns {string[]} relative to the folder. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
