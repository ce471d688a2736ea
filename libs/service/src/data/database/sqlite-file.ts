import { closeSync, openSync, readSync, realpathSync, renameSync, statSync } from 'node:fs';
import { DatabaseLostError } from './database-outage.js';

interface OpenFile {
  readonly path: string;
  /** Device and inode. Undefined for a missing file. */
  readonly identity: string | undefined;
}

export interface WalUsage {
  readonly bytes: number;
  readonly restarts: number;
}

/** https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const WAL_HEADER_BYTES = 32;
const CHECKPOINT_SEQUENCE_AT = 12;

/**
 * Detects that another program deleted or replaced a file of the open database. Otherwise this process would write to
 * the unlinked file and lose the data on exit.
 */
export class SqliteFile {
  lost: DatabaseLostError | undefined;
  private readonly main: OpenFile;
  private readonly wal: OpenFile;
  private readonly shm: OpenFile;

  constructor(path: string) {
    // SQLite creates the WAL next to the target of a symbolic link.
    const real = realpathSync(path);
    this.main = { path, identity: identityOf(path) };
    this.wal = { path: `${real}-wal`, identity: identityOf(`${real}-wal`) };
    this.shm = { path: `${real}-shm`, identity: identityOf(`${real}-shm`) };
  }

  get walPath(): string {
    return this.wal.path;
  }

  log(): WalUsage {
    const { path } = this.wal;
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return { bytes, restarts: bytes < WAL_HEADER_BYTES ? 0 : restartsOf(path) };
  }

  check(): DatabaseLostError | undefined {
    let problem: string | undefined;
    for (const { path, identity } of [this.main, this.wal]) {
      const found = identityOf(path);
      if (identity === undefined || found === identity) continue;
      problem ??= `${path} was ${found === undefined ? 'deleted' : 'replaced'}`;
    }
    if (problem !== this.lost?.problem) this.lost = problem === undefined ? undefined : new DatabaseLostError(problem);
    return this.lost;
  }

  /**
   * Renames the WAL of a deleted or replaced database, because SQLite would apply it to a new file of the same name.
   */
  renameOrphanedWal(): string | undefined {
    if (isSameFile(this.main) || !isSameFile(this.wal)) return undefined;
    const end = `.left-${new Date().toISOString().replaceAll(/[-:.]/g, '').toLowerCase()}`;
    renameSync(this.wal.path, this.wal.path + end);
    if (isSameFile(this.shm)) renameSync(this.shm.path, this.shm.path + end);
    return this.wal.path + end;
  }
}

function isSameFile({ path, identity }: OpenFile): boolean {
  return identity !== undefined && identityOf(path) === identity;
}

/** Returns how often SQLite restarted the WAL, or 0 without the file. */
function restartsOf(path: string): number {
  const header = Buffer.alloc(WAL_HEADER_BYTES);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, header, 0, WAL_HEADER_BYTES, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return 0;
  }
  return header.readUInt32BE(CHECKPOINT_SEQUENCE_AT);
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${String(found.dev)}:${String(found.ino)}`;
}
