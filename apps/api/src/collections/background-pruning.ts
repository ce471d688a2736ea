import { Inject, Injectable } from '@nestjs/common';

import { BackgroundWork } from '../background/background-work.js';
import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { Pruner } from './pruner.js';

/** Cursors live so long after they were issued; the walk that they belong to may have begun as long before. */
const LIFETIMES_KEPT = 2;
/** Looks at the versions so many times while they are kept. */
const ROUNDS = 60;
const SHORTEST_PERIOD_MS = 100;

const COLLECTIONS = 'SELECT DISTINCT collection FROM collection_lanes';

/** Prunes every collection, in the background. */
@Injectable()
export class BackgroundPruning extends BackgroundWork {
  private readonly retentionMs: number;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) { cursorTtlMs }: Pick<Config, 'cursorTtlMs'>,
  ) {
    const retentionMs = LIFETIMES_KEPT * cursorTtlMs;
    super(Math.max(retentionMs / ROUNDS, SHORTEST_PERIOD_MS), 'Versions are pruned later');
    this.retentionMs = retentionMs;
  }

  protected override async work(stop: AbortSignal): Promise<void> {
    for (const { collection } of await this.database.query<{ collection: string }>(COLLECTIONS)) {
      await new Pruner(this.database, collection, this.retentionMs).prune(stop);
    }
  }
}
