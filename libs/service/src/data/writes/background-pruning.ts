import { ServiceUnavailableError } from '@items/conventions';
import { BackgroundWork, type WarningLog } from '../background/background-work.js';
import type { Database } from '../database/database.js';
import { versionsOf } from '../definition/collection.js';
import { Pruner } from './pruner.js';

/** In units of `CURSOR_TTL`: a cursor is valid for one unit, and its walk may have started one unit before. */
const RETAINED_LIFETIMES = 2;
const ROUNDS = 60;
const SHORTEST_PERIOD_MS = 100;

const COLLECTIONS = 'SELECT DISTINCT collection FROM collection_lanes ORDER BY 1';
/** Checks that the table exists, because a dropped collection may leave its clocks behind. */
const TABLES = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name = $1",
  postgres: 'SELECT 1 AS name WHERE to_regclass($1) IS NOT NULL',
};

export interface PruningState {
  readonly kept: number;
  readonly deleted: number;
  readonly prunedAtMs: number;
}

export class BackgroundPruning extends BackgroundWork {
  private readonly retentionMs: number;
  private readonly known = new Map<string, PruningState>();

  constructor(
    private readonly database: Database,
    log: WarningLog,
    { cursorTtlMs }: { readonly cursorTtlMs: number },
  ) {
    const retentionMs = RETAINED_LIFETIMES * cursorTtlMs;
    super(log, Math.max(retentionMs / ROUNDS, SHORTEST_PERIOD_MS), 'Could not delete old versions; retrying later');
    this.retentionMs = retentionMs;
  }

  get states(): ReadonlyMap<string, PruningState> {
    return this.known;
  }

  protected override async work(stop: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    for (const { collection } of await this.database.query<{ collection: string }>(COLLECTIONS)) {
      try {
        if (await this.hasVersions(collection)) await this.prune(collection, stop);
      } catch (error) {
        // Skips the other collections: each would also fail, after its own timeout.
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
