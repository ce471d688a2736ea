import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from './root.js';
import { runNode } from './run.js';

const compiler = 'node_modules/typescript-7/bin/tsc';
const stamp = join(workspaceRoot, 'apps/api/dist/.sources');

/**
 * Builds the service where its sources are others than at the last build.
 * @throws {Error} where they do not compile; the compiler has said why.
 */
export async function ensureBuilt() {
  const sources = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  console.log('Building …');
  const { ok } = await runNode([compiler, '-b', 'apps/api/tsconfig.app.json', 'libs/client/tsconfig.lib.json']);
  if (!ok) throw new Error('The build failed; the compiler says why above.');
  writeFileSync(stamp, sources);
}

/** Names, sizes and times of all sources: one `stat` each, and it also notices a file that went or came back. */
function fingerprint() {
  const hash = createHash('sha256');
  const settings = ['package-lock.json', 'tsconfig.base.json', 'apps/api/tsconfig.app.json'];
  const libraries = readdirSync(join(workspaceRoot, 'libs')).map((name) => `libs/${name}/src`);
  for (const path of [...settings, ...['apps/api/src', ...libraries].flatMap(filesUnder)]) {
    const { size, mtimeMs } = statSync(join(workspaceRoot, path));
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesUnder(/** @type {string} */ folder) {
  const root = join(workspaceRoot, folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(workspaceRoot.length + 1))
    .sort();
}
