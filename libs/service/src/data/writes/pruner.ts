import { BATCH, inBatches } from '../background/in-batches.js';
import type { Database, Transaction } from '../database/database.js';
import { versionsOf } from '../definition/collection.js';

const ADVISORY_LOCK = 0x17e_0001;

const DUE_LANES = 'SELECT lane FROM collection_lanes WHERE collection = $1 AND checkpoint_at <= $2';
const RAISE_FLOOR = `UPDATE collection_lanes SET floor = checkpoint, checkpoint = seq, checkpoint_at = $3
  WHERE collection = $1 AND lane = $2`;

/**
 * Deletes versions up to the floor of their lane. Once per retention period, each floor rises to the clock of its lane
 * one period ago, so a snapshot is retained for one to two periods.
 */
export class Pruner {
  constructor(
    private readonly database: Database,
    private readonly table: string,
    private readonly retentionMs: number,
  ) {}

  async prune(stop?: AbortSignal, nowMs = Date.now()): Promise<number> {
    const due = await this.database.query<{ lane: number }>(DUE_LANES, [this.table, nowMs - this.retentionMs]);
    // Runs a transaction per lane: no transaction may hold one lane and wait for another. Walks tolerate that floors
    // rise one after another.
    for (const { lane } of due) await this.exclusively((tx) => tx.query(RAISE_FLOOR, [this.table, lane, nowMs]));
    // The new floors are already committed, so no page shows an incomplete snapshot.
    const deleted = await this.deleteAll(versionsOf(this.table), (rowId) => this.oldVersions(rowId), stop);
    if (due.length > 0) await this.deleteAll('collection_counts', (rowId) => this.zeroCounters(rowId), stop);
    return deleted;
  }

  private oldVersions(rowId: string): string {
    return `SELECT old.${rowId} FROM collection_lanes
      JOIN ${versionsOf(this.table)} old ON old.lane_to = collection_lanes.lane AND old.seq_to <= collection_lanes.floor
      WHERE collection_lanes.collection = $1 LIMIT ${String(BATCH)}`;
  }

  /** Skips locked counters, because waiting for them could deadlock. */
  private zeroCounters(rowId: string): string {
    const skipLocked = this.database.dialect === 'sqlite' ? '' : ' FOR UPDATE SKIP LOCKED';
    return `SELECT ${rowId} FROM collection_counts WHERE collection = $1 AND n = 0
      LIMIT ${String(BATCH)}${skipLocked}`;
  }

  /** @param among Builds the SELECT of the rows to delete, by `rowid` or `ctid`. */
  private deleteAll(table: string, among: (rowId: string) => string, stop?: AbortSignal): Promise<number> {
    const where =
      this.database.dialect === 'sqlite' ? `rowid IN (${among('rowid')})` : `ctid = ANY (ARRAY(${among('ctid')}))`;
    const sql = `DELETE FROM ${table} WHERE ${where} RETURNING 1 AS gone`;
    return inBatches(async () => (await this.exclusively((tx) => tx.query(sql, [this.table])))?.length ?? 0, stop);
  }

  private exclusively<T>(work: (tx: Transaction) => Promise<T>): Promise<T | undefined> {
    return this.database.transaction(async (tx) => {
      if (this.database.dialect === 'postgres') {
        const sql = 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS mine';
        const [lock] = await tx.query<{ mine: boolean }>(sql, [ADVISORY_LOCK, this.table]);
        if (lock?.mine !== true) return undefined;
      }
      return work(tx);
    });
  }
}
