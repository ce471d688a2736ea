import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class SmallDisk {
  private readonly ballast: string;

  private constructor(readonly folder: string) {
    this.ballast = join(folder, 'ballast');
  }

  /** @returns undefined if this user may not mount a file system. */
  static mount(megabytes = 24): SmallDisk | undefined {
    const folder = mkdtempSync(join(tmpdir(), 'items-small-disk-'));
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'items', folder]);
    if (status === 0) return new SmallDisk(folder);
    rmdirSync(folder);
    return undefined;
  }

  fill(): void {
    for (const size of [64 * 1024, 4096, 64]) {
      while (hasAppended(this.ballast, size));
    }
  }

  free(): void {
    rmSync(this.ballast);
  }

  remove(): void {
    spawnSync('umount', ['--lazy', this.folder]);
    rmdirSync(this.folder);
  }
}

/** Returns the reason why this machine cannot fill a disk, if any. */
export function lackOfDisk(): string | undefined {
  const disk = SmallDisk.mount();
  disk?.remove();
  return disk === undefined ? 'only root on Linux can mount a small disk' : undefined;
}

/** Returns false if the disk has no room for `size` more bytes. */
function hasAppended(file: string, size: number): boolean {
  try {
    appendFileSync(file, Buffer.alloc(size));
    return true;
  } catch {
    return false;
  }
}
