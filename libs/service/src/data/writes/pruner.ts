import { BATCH, inBatches } from '../background/in-batches.js';
import type { Database, Transaction } from '../database/database.js';

import { versionsOf } from '../definition/collection.js';

/** The instance that holds it prunes, the others do not. */
const ADVISORY_LOCK = 0x17e_0001;

const DUE_LANES = 'SELECT lane FROM collection_lanes WHERE collection = $1 AND checkpoint_at <= $2';
/** The floor rises to where the clock stood when the last period began, and a new period begins. */
const RAISE_FLOOR = `UPDATE collection_lanes SET floor = checkpoint, checkpoint = seq, checkpoint_at = $3
  WHERE collection = $1 AND lane = $2`;

/**
 * Forgets versions that no walk may ask for any more. A snapshot is kept for at least the retention, and about twice as
 * long at most: once a period, floors rise to where the clocks stood a period ago.
 */
export class Pruner {
  constructor(
    private readonly database: Database,
    private readonly table: string,
    private readonly retentionMs: number,
  ) {}

  /** @param stop ends it early, between two batches. @returns versions deleted. */
  async prune(stop?: AbortSignal, nowMs = Date.now()): Promise<number> {
    const due = await this.database.query<{ lane: number }>(DUE_LANES, [this.table, nowMs - this.retentionMs]);
    // One at a time: who waits for a lane holds no other one. Lanes whose floors differ for a moment do no harm.
    for (const { lane } of due) await this.exclusively((tx) => tx.query(RAISE_FLOOR, [this.table, lane, nowMs]));
    // The floors are committed before what lies below them goes, so that no page is read from a torn snapshot.
    const deleted = await this.deleteAll((tx) => this.deleteVersions(tx), stop);
    if (due.length > 0) await this.deleteAll((tx) => this.deleteZeros(tx), stop);
    return deleted;
  }

  private deleteAll(deleteSome: (tx: Transaction) => Promise<unknown[]>, stop?: AbortSignal): Promise<number> {
    return inBatches(async () => (await this.exclusively(deleteSome))?.length ?? 0, stop);
  }

  private deleteVersions(tx: Transaction): Promise<unknown[]> {
    const versions = versionsOf(this.table);
    return this.deleteAmong(
      tx,
      versions,
      (place) => `SELECT old.${place} FROM collection_lanes
        JOIN ${versions} old ON old.lane_to = collection_lanes.lane AND old.seq_to <= collection_lanes.floor
        WHERE collection_lanes.collection = $1 LIMIT ${String(BATCH)}`,
    );
  }

  /** A writer that is about to use a counter is not waited for: the two might wait for each other. */
  private deleteZeros(tx: Transaction): Promise<unknown[]> {
    const skipLocked = this.database.dialect === 'sqlite' ? '' : ' FOR UPDATE SKIP LOCKED';
    return this.deleteAmong(
      tx,
      'collection_counts',
      (place) => `SELECT ${place} FROM collection_counts WHERE collection = $1 AND n = 0
        LIMIT ${String(BATCH)}${skipLocked}`,
    );
  }

  /** @param among selects where the rows lie that are to go. */
  private deleteAmong(tx: Transaction, table: string, among: (place: string) => string): Promise<unknown[]> {
    const where =
      this.database.dialect === 'sqlite' ? `rowid IN (${among('rowid')})` : `ctid = ANY (ARRAY(${among('ctid')}))`;
    return tx.query(`DELETE FROM ${table} WHERE ${where} RETURNING 1 AS gone`, [this.table]);
  }

  /** @returns undefined where another instance is at it. */
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
