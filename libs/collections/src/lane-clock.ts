import type { Dialect, Transaction, WriteGroup } from '@items/store';
import { LANES } from '@items/store/parts';

import { ABOVE_ALL_EVENTS, KeptClocks } from './kept-clocks.js';
import { Parameters } from './parameters.js';
import { knownStamp, STAMP_RELATION, type Stamp, type StampedWrite } from './stamp-terms.js';
import { adjustmentOf, type Adjustment } from './totals.js';

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

  /** @param emits whether each write makes an event, or is known to need none. */
  constructor(
    private readonly dialect: Dialect,
    private readonly emits = false,
  ) {}

  async write(tx: Transaction, change: Change): Promise<Stamp> {
    const { collection } = change;
    const { group } = tx;
    if (group !== undefined) return this.writeInGroup(group, change);
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
      const params = new Parameters();
      const sql = write(params, knownStamp(stamp, params));
      group.run(sql, params.values);
    }
    return stamp;
  }

  /**
   * One statement: PostgreSQL is a round trip away.
   * @param lane the one to take, and to wait for; otherwise one that is idle.
   * @returns undefined where none is idle.
   */
  private async attempt(tx: Transaction, change: Change, lane: number | undefined): Promise<Stamp | undefined> {
    const { collection, added, writes, adjustments } = change;
    const params = new Parameters();
    const advance = this.advanceSql(collection, added, lane, params);
    const named = [...writes, ...adjustments.map((each) => adjustmentOf(collection, each))]
      .map((write, index) => `, write${String(index)} AS (${write(params, STAMP_RELATION)})`)
      .join('');
    const above = this.emits ? `above AS MATERIALIZED (${ABOVE_ALL_EVENTS}), ` : '';
    const sql = `WITH ${above}stamp AS (${advance})${named} SELECT lane, seq FROM stamp`;
    const [found] = await tx.query<Stamp>(sql, params.values);
    return found;
  }

  private lanesOf(tx: Transaction): Map<string, number> {
    let lanes = this.taken.get(tx);
    if (lanes === undefined) {
      lanes = new Map<string, number>();
      this.taken.set(tx, lanes);
    }
    return lanes;
  }

  private advanceSql(collection: string, added: number, lane: number | undefined, params: Parameters): string {
    const table = params.add(collection);
    const next = this.nextSql(params.add(Date.now() * 1000));
    const noted = this.emits ? `, gaps = gaps + CASE WHEN event_seq = seq THEN 0 ELSE 1 END, event_seq = ${next}` : '';
    const idle = `(SELECT lane FROM collection_lanes WHERE collection = ${table} LIMIT 1 FOR UPDATE SKIP LOCKED)`;
    return `UPDATE collection_lanes SET seq = ${next}, n = n + ${params.add(added)}${noted}
      WHERE collection = ${table} AND lane = ${lane === undefined ? idle : params.add(lane)} RETURNING lane, seq`;
  }

  private nextSql(now: string): string {
    return this.emits ? `greatest(seq + 1, tick + 1, ${now}, (SELECT next FROM above))` : `greatest(seq + 1, ${now})`;
  }
}

function noLanes(): Error {
  return new Error('The collection has no lanes: its migration has not run.');
}
