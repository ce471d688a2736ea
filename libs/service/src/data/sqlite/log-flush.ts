import { closeSync, fdatasync, openSync } from 'node:fs';

/** `fs.fdatasync`, or what a test has instead. */
type Sync = (file: number, done: (error: Error | null) => void) => void;

/**
 * Brings the log (WAL) of SQLite to the disk beside the event loop. What was committed without waiting for the disk would
 * otherwise be waited for by the checkpoint, in the process itself and all at once. SQLite does not depend on it.
 */
export class LogFlush {
  private file: number | undefined;
  private flushing: Promise<void> | undefined;
  private isStale = false;

  /** @param path of the log. */
  constructor(
    private readonly path: string,
    private readonly sync: Sync = fdatasync,
  ) {}

  /** To be called after a commit; one is under way at a time. */
  start(): void {
    this.isStale = true;
    this.flushing ??= this.flush().finally(() => {
      this.flushing = undefined;
    });
  }

  async close(): Promise<void> {
    await this.flushing;
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private async flush(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      const file = this.opened();
      // SQLite reports a disk that fails: it syncs the file as well.
      if (file !== undefined) await new Promise<void>((resolve) => this.sync(file, () => resolve()));
    }
  }

  private opened(): number | undefined {
    try {
      return (this.file ??= openSync(this.path, 'r+'));
    } catch {
      return undefined;
    }
  }
}
