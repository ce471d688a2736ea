import { closeSync, fdatasync, openSync } from 'node:fs';

type Sync = (file: number, done: (error: Error | null) => void) => void;

/** Flushes the WAL without blocking, so that the next checkpoint has little to sync. */
export class WalFlush {
  private file: number | undefined;
  private flushing: Promise<void> | undefined;
  private isStale = false;

  constructor(
    private readonly path: string,
    private readonly sync: Sync = fdatasync,
  ) {}

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
      // Ignores errors, because SQLite syncs the file too and reports them.
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
