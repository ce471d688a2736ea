import { ServiceUnavailableError } from '@items/conventions';
import { BackgroundWork, type WarningLog } from '../background/background-work.js';
import type { Database } from '../database/database.js';

import { versionsOf } from '../definition/collection.js';
import { Pruner } from './pruner.js';

/** Cursors live so long after they were issued; the walk that they belong to may have begun as long before. */
const LIFETIMES_KEPT = 2;
/** Looks at the versions so many times while they are kept. */
const ROUNDS = 60;
const SHORTEST_PERIOD_MS = 100;

const COLLECTIONS = 'SELECT DISTINCT collection FROM collection_lanes ORDER BY 1';
/** The clocks of a collection may outlive its tables, where a migration has dropped only these. */
const TABLES = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name = $1",
  postgres: 'SELECT 1 AS name WHERE to_regclass($1) IS NOT NULL',
};

/** The versions of one collection, as the last round found them. */
export interface PruningState {
  /** Versions in the table. */
  readonly kept: number;
  /** Versions that this process has deleted. */
  readonly deleted: number;
  /** In milliseconds since the epoch. */
  readonly prunedAtMs: number;
}

/** Prunes every collection, in the background. */
export class BackgroundPruning extends BackgroundWork {
  private readonly retentionMs: number;
  private readonly known = new Map<string, PruningState>();

  constructor(
    private readonly database: Database,
    log: WarningLog,
    { cursorTtlMs }: { readonly cursorTtlMs: number },
  ) {
    const retentionMs = LIFETIMES_KEPT * cursorTtlMs;
    super(log, Math.max(retentionMs / ROUNDS, SHORTEST_PERIOD_MS), 'Versions are pruned later');
    this.retentionMs = retentionMs;
  }

  /** By collection; empty before the first round. */
  get states(): ReadonlyMap<string, PruningState> {
    return this.known;
  }

  /** @throws what the first collection has failed with; the others are pruned all the same. */
  protected override async work(stop: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    for (const { collection } of await this.database.query<{ collection: string }>(COLLECTIONS)) {
      try {
        if (await this.hasVersions(collection)) await this.prune(collection, stop);
      } catch (error) {
        // The others would fail too, each after its time-out.
        if (error instanceof ServiceUnavailableError) throw error;
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  private async prune(collection: string, stop: AbortSignal): Promise<void> {
    const deleted = await new Pruner(this.database, collection, this.retentionMs).prune(stop);
    this.known.set(collection, {
      kept: await this.count(collection),
      deleted: (this.known.get(collection)?.deleted ?? 0) + deleted,
      prunedAtMs: Date.now(),
    });
  }

  private async hasVersions(collection: string): Promise<boolean> {
    const found = await this.database.query(TABLES[this.database.dialect], [versionsOf(collection)]);
    return found.length > 0;
  }

  private async count(collection: string): Promise<number> {
    const [row] = await this.database.query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${versionsOf(collection)}`);
    return row?.n ?? 0;
  }
}
