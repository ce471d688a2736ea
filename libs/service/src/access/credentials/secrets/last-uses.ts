import { BackgroundWork } from '../../../data/background/background-work.js';
import { Injectable, Logger } from '@nestjs/common';

const PERIOD_MS = 5000;
/** Maximum per transaction, so that other writers wait only briefly. */
const BATCH = 50;

export type Uses = readonly (readonly [id: string, usedAtMs: number])[];

/** Collects last uses until the next flush, so that no request waits for a write. */
@Injectable()
export class LastUses {
  private uses = new Map<string, number>();

  record(id: string): void {
    this.uses.set(id, Date.now());
  }

  /** Returns and clears the uses: Unix times in milliseconds, by id. */
  take(): ReadonlyMap<string, number> {
    const taken = this.uses;
    this.uses = new Map();
    return taken;
  }

  giveBack(uses: Uses): void {
    this.uses = new Map([...uses, ...this.uses]);
  }
}

export abstract class LastUseFlush extends BackgroundWork {
  protected constructor(
    context: string,
    credentials: string,
    private readonly uses = new LastUses(),
    periodMs = PERIOD_MS,
  ) {
    super(
      new Logger(context),
      periodMs,
      `Could not record the last uses of ${credentials}; retrying in ${String(periodMs / 1000)} s`,
    );
  }

  record(id: string): void {
    this.uses.record(id);
  }

  /** Writes the remaining uses before the database is closed. */
  override async stop(): Promise<void> {
    await super.stop();
    await this.runNow();
  }

  protected abstract write(uses: Uses): Promise<void>;

  protected override async work(): Promise<void> {
    // All instances lock rows in the same order, to prevent deadlocks.
    const uses = [...this.uses.take()].sort(([a], [b]) => (a < b ? -1 : 1));
    for (let start = 0; start < uses.length; start += BATCH) {
      try {
        await this.write(uses.slice(start, start + BATCH));
      } catch (error) {
        this.uses.giveBack(uses.slice(start));
        throw error;
      }
    }
  }
}
