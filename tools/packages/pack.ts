import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureConsoleBuilt } from '../workspace/build-console.ts';
import { workspaceRoot } from '../workspace/root.ts';
import { runNpm } from '../workspace/run.ts';
import type { Manifest, Package } from './publishable.ts';

/** Output of `npm pack`, and the tarball's manifest, which a lib may generate. */
export interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
  readonly manifest: Manifest;
}

/** @param target folder for the tarballs; created if missing. */
export async function pack(packages: readonly Package[], target: string): Promise<Packed[]> {
  mkdirSync(target, { recursive: true });
  await ensureConsoleBuilt();
  for (const { folder } of packages) removeStale(folder);
  const workspaces = packages.flatMap(({ name }) => ['--workspace', name]);
  const args = ['pack', ...workspaces, '--pack-destination', target, '--json', '--loglevel=error'];
  const { ok, output } = await runNpm(args, { output: 'collect', cwd: workspaceRoot });
  if (!ok) throw new Error(output);
  const packed = JSON.parse(output.slice(output.search(/^[[{]/m))) as Record<string, Omit<Packed, 'manifest'>>;
  return Object.values(packed).map((each) => ({ ...each, manifest: manifestIn(join(target, each.filename)) }));
}

function manifestIn(tarball: string): Manifest {
  return JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' })) as Manifest;
}

function removeStale(folder: string): void {
  for (const file of filesIn(join(folder, 'dist'))) {
    const source = file.replace(/\.(d\.ts|js)(\.map)?$/, '.ts');
    if (source === file || source.startsWith('spec/') || existsSync(join(folder, 'src', source))) continue;
    rmSync(join(folder, 'dist', file));
  }
}

/** Returns paths relative to the folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
