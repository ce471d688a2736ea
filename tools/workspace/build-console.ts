import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspacePath, workspaceRoot } from './root.ts';
import { step } from './run.ts';

const sources = ['libs/console/src', 'libs/client/src', 'libs/dtos/src/contract', 'libs/conventions/src'];
const folder = workspacePath('libs/service/assets/console');
// File with the hash of the sources. It is outside the assets folder, because that folder is published.
const stamp = workspacePath('libs/console/dist/.sources');

/**
 * Builds the console into the assets of the service if its sources have changed since the last build.
 * @throws {Error} if they do not compile.
 */
export async function ensureConsoleBuilt() {
  const hash = createHash('sha256');
  for (const path of ['package-lock.json', 'tools/workspace/build-console.ts', ...sources.flatMap(filesIn)]) {
    hash.update(`${path}\0`).update(readFileSync(workspacePath(path)));
  }
  const fingerprint = hash.digest('hex');
  if (existsSync(join(folder, 'main.js')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  const { ok } = await step('Building the console (esbuild)', () => bundle());
  if (!ok) throw new Error('The build of the console failed: see the output of esbuild above.');
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, fingerprint);
}

async function bundle() {
  const { build } = await import('esbuild');
  try {
    await build({
      entryPoints: ['main.tsx', 'style.css'].map((name) => workspacePath('libs/console/src', name)),
      outdir: folder,
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2023',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      conditions: ['@items/source'],
      // The licence requires this notice.
      banner: {
        js: '/* Contains Preact and its signals: MIT License, Copyright (c) 2015-present Jason Miller and Preact Team */',
      },
      logLevel: 'error',
    });
    return { ok: true, output: '' };
  } catch (error) {
    return { ok: false, output: String(error) };
  }
}

/** Returns the sorted paths of the files in a folder of the workspace, without specs. */
export function filesIn(folder: string) {
  const root = workspacePath(folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(workspaceRoot.length + 1))
    .sort();
}
