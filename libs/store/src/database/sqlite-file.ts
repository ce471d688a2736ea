import { realpathSync, renameSync, statSync } from 'node:fs';

interface OpenFile {
  readonly path: string;
  /** Device and inode; undefined where it was not there. */
  readonly identity: string | undefined;
}

/**
 * The files of a database that is open. Whoever deletes or replaces one of them takes it away from everybody but this
 * process, which could go on writing to what is gone with its end.
 */
export class SqliteFile {
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

  /** What happened to the files; undefined where they are still there. */
  problem(): string | undefined {
    for (const { path, identity } of [this.main, this.wal]) {
      const found = identityOf(path);
      if (identity === undefined || found === identity) continue;
      return `${path} was ${found === undefined ? 'deleted' : 'replaced'}`;
    }
    return undefined;
  }

  /**
   * Puts the log of a file that was deleted or replaced out of the way, when the database is closed: whoever opens
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

function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${String(found.dev)}:${String(found.ino)}`;
}
