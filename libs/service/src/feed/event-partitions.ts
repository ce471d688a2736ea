import { analyseParents } from '../data/database/analyse-parents.js';
import type { Database, Transaction } from '../data/database/database.js';
import { codeOf } from '../data/database/error-code.js';
import { isLockTimeout, SHORT_LOCK_MS } from '../data/database/short-locks.js';

import { firstIdAt, timeOf } from './event-id.js';

/** Partition of the rows that are older than partitioning or come from a backup, and default partition. */
export const BEFORE = 'events_before';
export const REST = 'events_rest';

const AHEAD = 3;
const DAY_MS = 86_400_000;
/** The instance that holds this lock creates and drops partitions. */
const ADVISORY_LOCK = 0x17e_0092;

const CHECK_VIOLATION = '23514';

/** Lists the partitions of the table of events, with the text of their bounds. */
export const PARTITIONS = `SELECT relname AS name, pg_get_expr(relpartbound, pg_class.oid) AS bound
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = to_regclass('events') ORDER BY 1`;
const BOUND = /^FOR VALUES FROM \((?:'(.*)'|MINVALUE)\) TO \('(.*)'\)$/;

export interface Partition {
  readonly name: string;
  /** Exclusive end. */
  readonly end: string;
}

/**
 * Manages the partitions of the table of events on PostgreSQL. Each holds the events of one day and is dropped as a
 * whole. ADR 92
 */
export class EventPartitions {
  /** @param lengthMs Length of a partition: a day, or less in tests. */
  constructor(
    private readonly database: Database,
    private readonly lengthMs = DAY_MS,
  ) {}

  get periodMs(): number {
    return Math.min(this.lengthMs, DAY_MS / 24);
  }

  /**
   * Lists the tables from which expired rows are deleted one by one: the whole table, or the partitions without a day.
   */
  async rest(): Promise<readonly string[]> {
    if (this.database.dialect === 'sqlite') return ['events'];
    const names = (await this.database.query<{ name: string }>(PARTITIONS)).map(({ name }) => name);
    return names.length === 0 ? ['events'] : [BEFORE, REST].filter((name) => names.includes(name));
  }

  /** Creates the partitions of today and the next days. Rows without a partition go to {@link REST}. */
  async makeAhead(nowMs = Date.now()): Promise<void> {
    if (this.database.dialect === 'sqlite') return;
    const endMs = this.startOf(nowMs) + (AHEAD + 1) * this.lengthMs;
    let made = 0;
    while (await this.alone((tx) => this.makeNext(tx, nowMs, endMs))) made += 1;
    if (made > 0) await this.database.transaction((tx) => analyseParents((sql) => tx.query(sql)));
  }

  /**
   * @param oldest Events up to this id have expired.
   * @returns Number of dropped partitions.
   */
  async drop(oldest: string): Promise<number> {
    if (this.database.dialect === 'sqlite') return 0;
    let dropped = 0;
    while (await this.alone((tx) => this.dropFirst(tx, oldest))) dropped += 1;
    return dropped;
  }

  private async makeNext(tx: Transaction, nowMs: number, endMs: number): Promise<boolean> {
    const partitions = await tx.query<{ bound: string }>(PARTITIONS);
    if (partitions.length === 0) return false;
    const [last] = await tx.query<{ id: string }>(`SELECT id FROM ${REST} ORDER BY id DESC LIMIT 1`);
    const ends = boundsOf(partitions).map(({ end }) => timeOf(end));
    // Rows of the default partition stay there, so the next partition begins after them.
    const free = last === undefined ? 0 : this.startOf(timeOf(last.id)) + this.lengthMs;
    const fromMs = Math.max(this.startOf(nowMs), free, ...ends);
    const toMs = this.startOf(fromMs) + this.lengthMs;
    if (fromMs >= endMs) return false;
    const name = `events_${new Date(fromMs).toISOString().replace(/\D/g, '')}`;
    await tx.query(`CREATE TABLE ${name} (LIKE events INCLUDING DEFAULTS)`);
    await tx.query(
      `ALTER TABLE events ATTACH PARTITION ${name} FOR VALUES FROM ('${firstIdAt(fromMs)}') TO ('${firstIdAt(toMs)}')`,
    );
    return true;
  }

  /**
   * Drops the first expired partition. The last expired row stays, because readers who have read everything use it as
   * position.
   * @returns Whether a partition was dropped.
   */
  private async dropFirst(tx: Transaction, oldest: string): Promise<boolean> {
    const old = boundsOf(await tx.query(PARTITIONS)).filter(({ end }) => end <= oldest);
    for (const { name, end } of old) {
      const kept = await tx.query(
        `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${name}) OR EXISTS (SELECT 1 FROM events WHERE id >= $1 AND id <= $2)`,
        [end, oldest],
      );
      if (kept.length === 0) continue;
      await tx.query(`DROP TABLE ${name}`);
      return true;
    }
    return false;
  }

  /**
   * @returns False if another instance holds the advisory lock, a lock timeout passed, or a writer inserted a row into the
   *   default partition that the new partition would take: the next round tries again.
   */
  private async alone(work: (tx: Transaction) => Promise<boolean>): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const sql = `SELECT pg_try_advisory_xact_lock($1) AS mine, set_config('lock_timeout', '${String(SHORT_LOCK_MS)}', true)`;
      const [lock] = await tx.query<{ mine: boolean }>(sql, [ADVISORY_LOCK]);
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

/** Returns the end of each partition of a day, oldest first. @param partitions rows of {@link PARTITIONS}. */
export function boundsOf(partitions: readonly { readonly name?: string; readonly bound: string }[]): Partition[] {
  return partitions
    .flatMap(({ name = '', bound }) => {
      const end = BOUND.exec(bound)?.[2];
      return end === undefined ? [] : [{ name, end }];
    })
    .sort((a, b) => (a.end < b.end ? -1 : 1));
}
