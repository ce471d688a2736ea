import { BackgroundWork } from '../../../data/background/background-work.js';
import { Logger } from '@nestjs/common';

import type { LastUses } from './last-uses.js';

const PERIOD_MS = 5000;
/** Maximum per transaction, so that other writers wait only briefly. */
const BATCH = 50;

export type Uses = readonly (readonly [id: string, usedAtMs: number])[];

/** Stores the last use of credentials every few seconds, in batches and outside of requests. */
export abstract class LastUseFlush extends BackgroundWork {
  protected constructor(
    private readonly uses: LastUses,
    context: string,
    credentials: string,
    periodMs = PERIOD_MS,
  ) {
    super(
      new Logger(context),
      periodMs,
      `Could not record the last uses of ${credentials}; the next round tries again`,
    );
  }

  /** Writes the remaining uses before the database is closed. */
  override async stop(): Promise<void> {
    await super.stop();
    await this.runNow();
  }

  /** Writes a batch in one transaction. */
  protected abstract write(uses: Uses): Promise<void>;

  protected override async work(): Promise<void> {
    // All instances use one order, which prevents deadlocks.
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
