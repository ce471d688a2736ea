import type { Dialect, Transaction } from '@items/store';
import { LANES } from '@items/store/parts';

import { Parameters } from './parameters.js';

/** Above the stamp of every committed write that made an event. */
const ABOVE_ALL_EVENTS = 'SELECT coalesce(max(seq), 0) + 1 AS next FROM collection_lanes WHERE emits = 1';

/** When a row was written: `seq` on the clock of a lane, where no other transaction writes before the commit. */
export interface Stamp {
  readonly lane: number;
  /** Microseconds since the epoch, or one more than the write before where that is later. */
  readonly seq: number;
}

/** SQL of a write. It finds its stamp in the relation `stamp (lane, seq)`, and writes nothing if that is empty. */
export type StampedWrite = (params: Parameters) => string;

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

  /** @param added rows that the collection gains (1), keeps (0) or loses (−1) by the writes. */
  async write(tx: Transaction, collection: string, added: -1 | 0 | 1, writes: readonly StampedWrite[]): Promise<Stamp> {
    const lanes = this.lanesOf(tx);
    const known = this.dialect === 'sqlite' ? 0 : lanes.get(collection);
    const stamp =
      (await this.attempt(tx, collection, added, writes, known)) ??
      (await this.attempt(tx, collection, added, writes, Math.floor(Math.random() * LANES[this.dialect])));
    if (stamp === undefined) throw new Error('The collection has no lanes: its migration has not run.');
    lanes.set(collection, stamp.lane);
    return stamp;
  }

  /**
   * @param lane the one to take, and to wait for; otherwise one that is idle.
   * @returns undefined where none is idle.
   */
  private async attempt(
    tx: Transaction,
    collection: string,
    added: number,
    writes: readonly StampedWrite[],
    lane: number | undefined,
  ): Promise<Stamp | undefined> {
    const params = new Parameters();
    const advance = this.advanceSql(collection, added, lane, params);
    if (this.dialect === 'sqlite') return this.writeInTurn(tx, advance, params, writes);
    const parts = [advance, ...writes.map((write) => write(params))];
    const [stamp, ...others] = parts;
    const named = others.map((sql, index) => `, write${String(index)} AS (${sql})`).join('');
    // One statement: PostgreSQL is a round trip away.
    const above = this.emits ? `above AS MATERIALIZED (${ABOVE_ALL_EVENTS}), ` : '';
    const sql = `WITH ${above}stamp AS (${String(stamp)})${named} SELECT lane, seq FROM stamp`;
    const [found] = await tx.query<Stamp>(sql, params.values);
    return found;
  }

  private async writeInTurn(
    tx: Transaction,
    advance: string,
    advanceParams: Parameters,
    writes: readonly StampedWrite[],
  ): Promise<Stamp | undefined> {
    const [stamp] = await tx.query<Stamp>(advance, advanceParams.values);
    if (stamp === undefined) return undefined;
    for (const write of writes) {
      const params = new Parameters();
      const relation = `WITH stamp (lane, seq) AS (SELECT ${params.add(stamp.lane)}, ${params.add(stamp.seq)})`;
      await tx.query(`${relation} ${write(params)}`, params.values);
    }
    return stamp;
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
    const [greatest, above] =
      this.dialect === 'sqlite' ? ['max', ABOVE_ALL_EVENTS] : ['greatest', 'SELECT next FROM above'];
    return this.emits ? `${greatest}(seq + 1, tick + 1, ${now}, (${above}))` : `${greatest}(seq + 1, ${now})`;
  }
}
