import { spawnSync } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { MissingProgramError } from '../cluster/binaries.ts';

/**
 * Mounts a disk of a few megabytes in memory.
 * @param {import('../cluster/site.ts').Site} site
 * @param {number} megabytes
 * @throws {MissingProgramError} if this user may not mount a disk.
 */
export function smallDisk(site, megabytes) {
  const folder = site.folderOf('disk');
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'items', folder]);
  if (status !== 0) throw new MissingProgramError('a small disk can be mounted on Linux alone, and by root');
  const unmount = () => spawnSync('umount', ['--lazy', folder]);
  site.atEnd(unmount);
  process.once('exit', unmount);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: () => {
      for (const size of [64 * 1024, 4096, 64]) {
        while (appended(ballast, size));
      }
    },
    free: () => rmSync(ballast),
  };
}

/** @param {string} file @param {number} size @returns whether the disk had room for `size` more bytes. */
function appended(file, size) {
  try {
    appendFileSync(file, Buffer.alloc(size));
    return true;
  } catch {
    return false;
  }
}
