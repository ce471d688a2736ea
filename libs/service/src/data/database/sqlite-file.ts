import { closeSync, openSync, readSync, realpathSync, renameSync, statSync } from 'node:fs';

import { DatabaseLostError } from './database-outage.js';

interface OpenFile {
  readonly path: string;
  /** Device and inode; undefined where it was not there. */
  readonly identity: string | undefined;
}

/** The log (WAL) of a database. */
export interface LogUse {
  readonly bytes: number;
  readonly restarts: number;
}

/** https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const WAL_HEADER_BYTES = 32;
const CHECKPOINT_SEQUENCE_AT = 12;

/**
 * The files of a database that is open. A program that deletes or replaces one of them takes it away from all but this
 * process, which could go on writing to what is gone with its end.
 */
export class SqliteFile {
  /** Why the files are not those of everybody else any more, as of the last look. */
  lost: DatabaseLostError | undefined;
  private readonly main: OpenFile;
  private readonly wal: OpenFile;
  private readonly shm: OpenFile;

  /** @param path of a database that is open, and whose log (WAL) is there. */
  constructor(path: string) {
    // SQLite keeps the log beside the file itself, not beside a symbolic link.
    const real = realpathSync(path);
    this.main = { path, identity: identityOf(path) };
    this.wal = { path: `${real}-wal`, identity: identityOf(`${real}-wal`) };
    this.shm = { path: `${real}-shm`, identity: identityOf(`${real}-shm`) };
  }

  get logPath(): string {
    return this.wal.path;
  }

  /** How large the log is, and how often it has begun anew, because all that was in it had gone to the file. */
  log(): LogUse {
    const { path } = this.wal;
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return { bytes, restarts: bytes < WAL_HEADER_BYTES ? 0 : restartsOf(path) };
  }

  /** Looks whether the files are still there: what is written to others would be lost with this process. */
  look(): DatabaseLostError | undefined {
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
   * Puts the log of a file that was deleted or replaced out of the way, when the database is closed: a process that opens
   * another file under the same name would get the log's pages in it.
   * @returns the new name of the log; undefined where it stays.
   */
  putAsideLog(): string | undefined {
    if (isThere(this.main) || !isThere(this.wal)) return undefined;
    const end = `.left-${new Date().toISOString().replaceAll(/[-:.]/g, '').toLowerCase()}`;
    renameSync(this.wal.path, this.wal.path + end);
    if (isThere(this.shm)) renameSync(this.shm.path, this.shm.path + end);
    return this.wal.path + end;
  }
}

function isThere({ path, identity }: OpenFile): boolean {
  return identity !== undefined && identityOf(path) === identity;
}

/** The header of the log counts. It may be gone at any moment. */
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
