import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureConsoleBuilt } from './build-console.js';
import { filesIn } from './files-in.js';
import { workspaceRoot } from './root.js';
import { runNode } from './run.js';
import { step } from './step.js';

const compiler = 'node_modules/typescript-7/bin/tsc';
const app = 'apps/api/tsconfig.app.json';
const client = 'libs/client/tsconfig.lib.json';
const stamps = { run: 'apps/api/dist/.sources-to-run', develop: 'apps/api/dist/.sources' };

/**
 * Builds the service if its sources have changed since the last build.
 * @param {'run' | 'develop'} [purpose] `run` skips the type check, which takes a third of the time.
 * @throws {Error} if the compiler fails. It has already printed the reason.
 */
export async function ensureBuilt(purpose = 'develop') {
  await ensureConsoleBuilt();
  const sources = fingerprint();
  const known = purpose === 'run' ? [stamps.run, stamps.develop] : [stamps.develop];
  if (known.some((stamp) => stampIn(stamp) === sources)) return;
  const args = purpose === 'run' ? ['--noCheck', app, client] : [app, client];
  const { ok } = await step('Building the service (tsc)', () =>
    runNode([compiler, '-b', ...args], { output: 'collect' }),
  );
  if (!ok) throw new Error('The build failed: the compiler says why above.');
  writeFileSync(join(workspaceRoot, stamps[purpose]), sources);
}

function stampIn(/** @type {string} */ stamp) {
  const file = join(workspaceRoot, stamp);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Names, sizes and times of all sources. Needs one `stat` per file, and also detects deleted and restored files. */
function fingerprint() {
  const hash = createHash('sha256');
  const settings = ['package-lock.json', 'tsconfig.base.json', app];
  const libraries = readdirSync(join(workspaceRoot, 'libs')).map((name) => `libs/${name}/src`);
  for (const path of [...settings, ...['apps/api/src', ...libraries].flatMap(filesIn)]) {
    const { size, mtimeMs } = statSync(join(workspaceRoot, path));
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
