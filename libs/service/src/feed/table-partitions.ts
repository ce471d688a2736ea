import { analyseParents } from '../data/database/analyse-parents.js';
import type { Database, Queryable, Transaction } from '../data/database/database.js';
import { codeOf, isLockTimeout } from '../data/database/error-codes.js';
import { SHORT_LOCK_MS } from '../data/database/short-locks.js';

import { firstIdAt, timeOf } from './event-id.js';

const AHEAD = 3;
const DAY_MS = 86_400_000;
const CHECK_VIOLATION = '23514';

/** A table that PostgreSQL partitions by id. The ids are UUIDv7, so they are ordered by time. */
export interface PartitionedTable {
  readonly name: string;
  /** The instance that holds this advisory lock creates and drops partitions. */
  readonly lock: number;
}

/** Returns the name of the partition for rows from before the partitioning or from a backup. */
export function beforeOf(table: string): string {
  return `${table}_before`;
}

/** Returns the name of the default partition. */
export function restOf(table: string): string {
  return `${table}_rest`;
}

/** Lists the partitions of a table, with the text of their bounds. */
export function partitionsSql(table: string): string {
  return `SELECT relname AS name, pg_get_expr(relpartbound, pg_class.oid) AS bound
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = to_regclass('${table}') ORDER BY 1`;
}

const BOUND = /^FOR VALUES FROM \((?:'(.*)'|MINVALUE)\) TO \('(.*)'\)$/;

export interface Partition {
  readonly name: string;
  /** Exclusive end: an id. */
  readonly end: string;
}

/**
 * Manages the partitions of a table on PostgreSQL. Each holds the rows of one day and is dropped as a whole. ADR 92
 */
export abstract class TablePartitions {
  /** @param lengthMs Length of a partition: a day, or less in tests. */
  protected constructor(
    protected readonly database: Database,
    private readonly table: PartitionedTable,
    readonly lengthMs = DAY_MS,
  ) {}

  get periodMs(): number {
    return Math.min(this.lengthMs, DAY_MS / 24);
  }

  /**
   * Lists the tables from which expired rows are deleted in batches: the whole table, or the partitions with rows of
   * several days.
   */
  async rest(): Promise<readonly string[]> {
    const { name: table } = this.table;
    if (this.database.dialect === 'sqlite') return [table];
    const names = (await this.database.query<{ name: string }>(partitionsSql(table))).map(({ name }) => name);
    if (names.length === 0) return [table];
    return [beforeOf(table), restOf(table)].filter((name) => names.includes(name));
  }

  /** Creates the partitions of today and the next days. Rows without a partition go to {@link restOf}. */
  async makeAhead(nowMs = Date.now()): Promise<void> {
    if (this.database.dialect === 'sqlite') return;
    const endMs = this.startOf(nowMs) + (AHEAD + 1) * this.lengthMs;
    let made = 0;
    while (await this.alone((tx) => this.makeNext(tx, nowMs, endMs))) made += 1;
    if (made > 0) await this.database.transaction((tx) => analyseParents((sql) => tx.query(sql), this.table));
  }

  /**
   * @param oldest Rows up to this id have expired.
   * @param stop Stops between two steps.
   * @returns Number of dropped partitions.
   */
  async drop(oldest: string, stop?: AbortSignal): Promise<number> {
    if (this.database.dialect === 'sqlite') return 0;
    let dropped = 0;
    while (stop?.aborted !== true && (await this.dropFirst(oldest, stop))) dropped += 1;
    return dropped;
  }

  /**
   * Drops the first expired partition that may be dropped.
   * @returns Whether a partition was dropped.
   */
  protected abstract dropFirst(oldest: string, stop?: AbortSignal): Promise<boolean>;

  /** Lists the partitions whose rows have all expired, oldest first. */
  protected async expired(queryable: Queryable, oldest: string): Promise<readonly Partition[]> {
    const partitions = await queryable.query<{ name: string; bound: string }>(partitionsSql(this.table.name));
    return boundsOf(partitions).filter(({ end }) => end <= oldest);
  }

  private async makeNext(tx: Transaction, nowMs: number, endMs: number): Promise<boolean> {
    const { name: table } = this.table;
    const partitions = await tx.query<{ bound: string }>(partitionsSql(table));
    if (partitions.length === 0) return false;
    const [last] = await tx.query<{ id: string }>(`SELECT id FROM ${restOf(table)} ORDER BY id DESC LIMIT 1`);
    const ends = boundsOf(partitions).map(({ end }) => timeOf(end));
    // Rows of the default partition stay there, so the next partition begins after them.
    const free = last === undefined ? 0 : this.startOf(timeOf(last.id)) + this.lengthMs;
    const fromMs = Math.max(this.startOf(nowMs), free, ...ends);
    const toMs = this.startOf(fromMs) + this.lengthMs;
    if (fromMs >= endMs) return false;
    const name = `${table}_${new Date(fromMs).toISOString().replace(/\D/g, '')}`;
    await tx.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS)`);
    await tx.query(
      `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${firstIdAt(fromMs)}') TO ('${firstIdAt(toMs)}')`,
    );
    return true;
  }

  /**
   * Runs work under the advisory lock.
   * @returns False to retry in the next round: another instance holds the lock, a lock timeout passed, or the default
   * partition has a row that belongs in the new partition.
   */
  protected async alone(work: (tx: Transaction) => Promise<boolean>): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const sql = `SELECT pg_try_advisory_xact_lock($1) AS mine, set_config('lock_timeout', '${String(SHORT_LOCK_MS)}', true)`;
      const [lock] = await tx.query<{ mine: boolean }>(sql, [this.table.lock]);
      if (lock?.mine !== true) return false;
      try {
        return await tx.savepoint(() => work(tx));
      } catch (error) {
        if (isLockTimeout(error) || codeOf(error) === CHECK_VIOLATION) return false;
        throw error;
      }
    });
  }

  private startOf(ms: number): number {
    return Math.floor(ms / this.lengthMs) * this.lengthMs;
  }
}

/**
 * Returns all partitions except the default partition, oldest first.
 * @param partitions rows of {@link partitionsSql}.
 */
export function boundsOf(partitions: readonly { readonly name?: string; readonly bound: string }[]): Partition[] {
  return partitions
    .flatMap(({ name = '', bound }) => {
      const end = BOUND.exec(bound)?.[2];
      return end === undefined ? [] : [{ name, end }];
    })
    .sort((a, b) => (a.end < b.end ? -1 : 1));
}
