import type { Eventual } from '@items/conventions';
import type { Dialect, SqlValue, Transaction, WriteGroup } from '@items/store';
import { LANES } from '@items/store/parts';

import { ABOVE_ALL_EVENTS, KeptClocks } from './kept-clocks.js';
import { KeptReads } from './kept-reads.js';
import { KNOWN_STAMP, STAMP_RELATION, type Stamp, type StampedWrite, textOf } from './stamp-terms.js';
import { adjustmentOf, type Adjustment } from './totals.js';

/** In a group, the stamp comes before the values of a write. */
const FIRST_IN_GROUP = 3;

/** What one stamp stands for. */
export interface Change {
  readonly collection: string;
  /** Rows that the collection gains (1), keeps (0) or loses (−1). */
  readonly added: -1 | 0 | 1;
  readonly writes: readonly StampedWrite[];
  /** Of the counters of the collection. */
  readonly adjustments: readonly Adjustment[];
}

/**
 * Stamps writes. The row of a lane stays locked until the transaction ends, so that within a lane the order of `seq`
 * is the order of the commits; a snapshot is therefore the `seq` of every lane.
 *
 * Where writes make events, a stamp is also above all that any lane of such collections has committed, so that the order
 * of stamps is one order of all events; and above the lane's own tick, up to which a reader was told that there is
 * nothing more. `event_seq` and `gaps` tell writes that made no event: see the README of `@items/events`.
 */
export class LaneClock {
  /** The lane that a transaction has taken: a second one would only keep others out. */
  private readonly taken = new WeakMap<Transaction, Map<string, number>>();
  /** Texts of statements, by their shape: putting one together costs more than sending it. */
  private readonly texts = new KeptReads<string>();

  /** @param emits whether each write makes an event, or is known to need none. */
  constructor(
    private readonly dialect: Dialect,
    private readonly emits = false,
  ) {}

  /** At once where the transaction is one of a group. */
  write(tx: Transaction, change: Change): Eventual<Stamp> {
    return tx.group === undefined ? this.writeInLane(tx, change) : this.writeInGroup(tx.group, change);
  }

  private async writeInLane(tx: Transaction, change: Change): Promise<Stamp> {
    const { collection } = change;
    const lanes = this.lanesOf(tx);
    const stamp =
      (await this.attempt(tx, change, lanes.get(collection))) ??
      (await this.attempt(tx, change, Math.floor(Math.random() * LANES[this.dialect])));
    if (stamp === undefined) throw noLanes();
    lanes.set(collection, stamp.lane);
    return stamp;
  }

  /** The stamp is made in memory, and written down once for all that commit together. ADR 52 */
  private writeInGroup(group: WriteGroup, { collection, added, writes, adjustments }: Change): Stamp {
    const clocks = group.kept(KeptClocks);
    const stamp = clocks.stamp(collection, added, this.emits);
    if (stamp === undefined) throw noLanes();
    for (const { group, by } of adjustments) clocks.count(collection, group, by);
    for (const write of writes) {
      const sql = this.texts.get(write.shape, () => textOf(write, FIRST_IN_GROUP, KNOWN_STAMP));
      group.run(sql, [stamp.lane, stamp.seq, ...write.values]);
    }
    return stamp;
  }

  /**
   * One statement: PostgreSQL is a round trip away.
   * @param lane the one to take, and to wait for; otherwise one that is idle.
   * @returns undefined where none is idle.
   */
  private async attempt(tx: Transaction, change: Change, lane: number | undefined): Promise<Stamp | undefined> {
    const { collection, added, adjustments } = change;
    const writes = [...change.writes, ...adjustments.map((each) => adjustmentOf(collection, each))];
    const shape = [lane === undefined ? 'idle' : 'taken', ...writes.map((write) => write.shape)].join('; ');
    const sql = this.texts.get(shape, () => this.statement(writes, lane));
    const values: SqlValue[] = [collection, Date.now() * 1000, added, ...(lane === undefined ? [] : [lane])];
    for (const write of writes) values.push(...write.values);
    const [found] = await tx.query<Stamp>(sql, values);
    return found;
  }

  private statement(writes: readonly StampedWrite[], lane: number | undefined): string {
    let next = lane === undefined ? 4 : 5;
    const named = writes.map((write, index) => {
      const text = textOf(write, next, STAMP_RELATION);
      next += write.values.length;
      return `, write${String(index)} AS (${text})`;
    });
    const above = this.emits ? `above AS MATERIALIZED (${ABOVE_ALL_EVENTS}), ` : '';
    return `WITH ${above}stamp AS (${this.advanceSql(lane)})${named.join('')} SELECT lane, seq FROM stamp`;
  }

  private lanesOf(tx: Transaction): Map<string, number> {
    let lanes = this.taken.get(tx);
    if (lanes === undefined) {
      lanes = new Map<string, number>();
      this.taken.set(tx, lanes);
    }
    return lanes;
  }

  /** Its parameters are the collection, the time, how many rows it gains, and the lane where one is taken. */
  private advanceSql(lane: number | undefined): string {
    const next = this.nextSql('$2');
    const noted = this.emits ? `, gaps = gaps + CASE WHEN event_seq = seq THEN 0 ELSE 1 END, event_seq = ${next}` : '';
    const idle = `(SELECT lane FROM collection_lanes WHERE collection = $1 LIMIT 1 FOR UPDATE SKIP LOCKED)`;
    return `UPDATE collection_lanes SET seq = ${next}, n = n + $3${noted}
      WHERE collection = $1 AND lane = ${lane === undefined ? idle : '$4'} RETURNING lane, seq`;
  }

  private nextSql(now: string): string {
    return this.emits ? `greatest(seq + 1, tick + 1, ${now}, (SELECT next FROM above))` : `greatest(seq + 1, ${now})`;
  }
}

function noLanes(): Error {
  return new Error('The collection has no lanes: its migration has not run.');
}
