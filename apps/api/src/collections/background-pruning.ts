import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { Pruner } from './pruner.js';

/** Cursors live so long after they were issued; the walk that they belong to may have begun as long before. */
const LIFETIMES_KEPT = 2;
/** Looks at the versions so many times while they are kept. */
const ROUNDS = 60;
const SHORTEST_PERIOD_MS = 100;

/** Prunes every collection, in the background. */
@Injectable()
export class BackgroundPruning implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(BackgroundPruning.name);
  private readonly retentionMs: number;
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private round = Promise.resolve();

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) config: Pick<Config, 'cursorTtlMs'>,
  ) {
    this.retentionMs = LIFETIMES_KEPT * config.cursorTtlMs;
  }

  onModuleInit(): void {
    this.timer = setTimeout(
      () => {
        this.round = this.pruneAll().then(() => {
          if (!this.stopping.signal.aborted) this.onModuleInit();
        });
      },
      Math.max(this.retentionMs / ROUNDS, SHORTEST_PERIOD_MS),
    ).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.round;
  }

  /** Never rejects: what could not be pruned is pruned next time. */
  private async pruneAll(): Promise<void> {
    try {
      const sql = 'SELECT DISTINCT collection FROM collection_lanes';
      for (const { collection } of await this.database.query<{ collection: string }>(sql)) {
        await new Pruner(this.database, collection, this.retentionMs).prune(this.stopping.signal);
      }
    } catch (error) {
      this.logger.warn(`Versions are pruned later: ${String(error)}`);
    }
  }
}
