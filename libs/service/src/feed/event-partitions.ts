import { analyseParents } from '../data/database/analyse-parents.js';
import type { Database, Transaction } from '../data/database/database.js';
import { isLockTimeout, SHORT_LOCK_MS } from '../data/database/short-locks.js';

import { firstIdAt, timeOf } from './event-id.js';

/** What was there before there were partitions, also in a backup; and what belongs into none of them. */
export const BEFORE = 'events_before';
export const REST = 'events_rest';

/** So many partitions are made ahead of the present one. */
const AHEAD = 3;
const DAY_MS = 86_400_000;
/** The instance that holds it makes and drops partitions. */
const ADVISORY_LOCK = 0x17e_0092;

const PARTITIONS = `SELECT relname AS name, pg_get_expr(relpartbound, pg_class.oid) AS bound
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = to_regclass('events') ORDER BY 1`;
const BOUND = /^FOR VALUES FROM \((?:'(.*)'|MINVALUE)\) TO \('(.*)'\)$/;

/** A stretch of the ids, as a table. */
interface Partition {
  readonly name: string;
  /** Behind its last id. */
  readonly end: string;
}

/** The partitions of the table of events on PostgreSQL: each holds the events of a day, and is dropped whole. ADR 92 */
export class EventPartitions {
  /** @param lengthMs of a partition: a day, and less in tests. */
  constructor(
    private readonly database: Database,
    private readonly lengthMs = DAY_MS,
  ) {}

  /** How often {@link makeAhead} is to be called, in milliseconds. */
  get periodMs(): number {
    return Math.min(this.lengthMs, DAY_MS / 24);
  }

  /** The tables from which old rows are deleted one by one. Where there are no partitions, that is the only one. */
  async rest(): Promise<readonly string[]> {
    if (this.database.dialect === 'sqlite') return ['events'];
    const names = (await this.database.query<{ name: string }>(PARTITIONS)).map(({ name }) => name);
    return names.length === 0 ? ['events'] : [BEFORE, REST].filter((name) => names.includes(name));
  }

  /**
   * Makes partitions for the present and the next days. What is written in spite of it into none of them has its place in
   * {@link REST}.
   */
  async makeAhead(nowMs = Date.now()): Promise<void> {
    if (this.database.dialect === 'sqlite') return;
    const endMs = this.startOf(nowMs) + (AHEAD + 1) * this.lengthMs;
    let made = 0;
    while (await this.alone((tx) => this.makeNext(tx, nowMs, endMs))) made += 1;
    if (made > 0) await this.database.transaction((tx) => analyseParents((sql) => tx.query(sql)));
  }

  /** @param oldest up to which nothing is listed. @returns how many were dropped. */
  async drop(oldest: string): Promise<number> {
    if (this.database.dialect === 'sqlite') return 0;
    let dropped = 0;
    while (await this.alone((tx) => this.dropFirst(tx, oldest))) dropped += 1;
    return dropped;
  }

  /** @returns whether one was made. */
  private async makeNext(tx: Transaction, nowMs: number, endMs: number): Promise<boolean> {
    const partitions = await tx.query<{ bound: string }>(PARTITIONS);
    if (partitions.length === 0) return false;
    const [last] = await tx.query<{ id: string }>(`SELECT id FROM ${REST} ORDER BY id DESC LIMIT 1`);
    const ends = boundsOf(partitions).map(({ end }) => timeOf(end));
    // Rows that are in none stay there: the next one begins behind them.
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

  /** The last row that is too old stays, as the place of those who have read all there was. @returns whether one was dropped. */
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

  /** @returns false where another instance is at it, or somebody holds a lock for longer than is waited for. */
  private async alone(work: (tx: Transaction) => Promise<boolean>): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const sql = `SELECT pg_try_advisory_xact_lock($1) AS mine, set_config('lock_timeout', '${String(SHORT_LOCK_MS)}', true)`;
      const [lock] = await tx.query<{ mine: boolean }>(sql, [ADVISORY_LOCK]);
      if (lock?.mine !== true) return false;
      try {
        return await tx.savepoint(() => work(tx));
      } catch (error) {
        if (isLockTimeout(error)) return false;
        throw error;
      }
    });
  }

  private startOf(ms: number): number {
    return Math.floor(ms / this.lengthMs) * this.lengthMs;
  }
}

/** Those with bounds, the first ones first. */
function boundsOf(partitions: readonly { readonly name?: string; readonly bound: string }[]): Partition[] {
  return partitions
    .flatMap(({ name = '', bound }) => {
      const end = BOUND.exec(bound)?.[2];
      return end === undefined ? [] : [{ name, end }];
    })
    .sort((a, b) => (a.end < b.end ? -1 : 1));
}
