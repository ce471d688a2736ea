import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { ensureConsoleBuilt, filesIn } from './build-console.ts';
import { ensureDependencies } from './dependencies.ts';
import { workspacePath } from './root.ts';
import { runNode, step } from './run.ts';

const compiler = 'node_modules/typescript-7/bin/tsc';
const app = 'apps/api/tsconfig.app.json';
const client = 'libs/client/tsconfig.lib.json';
const stamps = { run: 'apps/api/dist/.sources-to-run', develop: 'apps/api/dist/.sources' };

/** `run` needs only the service, so it skips the type check and the packages for development. */
export type Purpose = 'run' | 'develop';

/** Installs and builds. After a failure, prints the reason and exits. */
export async function prepare(purpose: Purpose): Promise<void> {
  try {
    await ensureDependencies(purpose);
    await ensureBuilt(purpose);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

/**
 * Builds the service if its sources have changed since the last build.
 * @throws {Error} if the compiler fails. The compiler has already printed the reason.
 */
export async function ensureBuilt(purpose: Purpose = 'develop') {
  await ensureConsoleBuilt();
  const sources = fingerprint();
  const known = purpose === 'run' ? [stamps.run, stamps.develop] : [stamps.develop];
  if (known.some((stamp) => stampIn(stamp) === sources)) return;
  const args = purpose === 'run' ? ['--noCheck', app, client] : [app, client];
  const { ok } = await step('Building the service (tsc)', () =>
    runNode([compiler, '-b', ...args], { output: 'collect' }),
  );
  if (!ok) throw new Error('The build failed: see the output of the compiler above.');
  writeFileSync(workspacePath(stamps[purpose]), sources);
}

function stampIn(stamp: string) {
  const file = workspacePath(stamp);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Hashes names, sizes and times of all sources. Does not read the files, and detects deleted and restored files. */
function fingerprint() {
  const hash = createHash('sha256');
  const settings = ['package-lock.json', 'tsconfig.base.json', app];
  const libraries = readdirSync(workspacePath('libs')).map((name) => `libs/${name}/src`);
  for (const path of [...settings, ...['apps/api/src', ...libraries].flatMap(filesIn)]) {
    const { size, mtimeMs } = statSync(workspacePath(path));
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
