import type { Dialect, Transaction } from '../database/database.js';
import { Parameters } from './parameters.js';

/** When a row was written: `seq` on the clock of a lane, which nobody else wrote before the commit. */
export interface Stamp {
  readonly lane: number;
  /** Microseconds since the epoch, or one more than the write before where that is later. */
  readonly seq: number;
}

/** SQL of a write. It finds its stamp in the relation `stamp (lane, seq)`, and writes nothing if that is empty. */
export type StampedWrite = (params: Parameters) => string;

/** Lanes of a collection: writers of PostgreSQL wait for each other only within a lane; SQLite has one writer. */
export const LANES: Readonly<Record<Dialect, number>> = { sqlite: 1, postgres: 16 };

/**
 * Stamps writes. The row of a lane stays locked until the transaction ends, so that within a lane the order of `seq`
 * is the order of the commits; a snapshot is therefore the `seq` of every lane.
 */
export class LaneClock {
  /** The lane that a transaction has taken: a second one would only keep others out. */
  private readonly taken = new WeakMap<Transaction, Map<string, number>>();

  constructor(private readonly dialect: Dialect) {}

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
    const advance = advanceSql(this.dialect, collection, added, lane, params);
    if (this.dialect === 'sqlite') return this.writeInTurn(tx, advance, params, writes);
    const parts = [advance, ...writes.map((write) => write(params))];
    const [stamp, ...others] = parts;
    const named = others.map((sql, index) => `, write${String(index)} AS (${sql})`).join('');
    // One statement: PostgreSQL is a round trip away.
    const sql = `WITH stamp AS (${String(stamp)})${named} SELECT lane, seq FROM stamp`;
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
}

function advanceSql(
  dialect: Dialect,
  collection: string,
  added: number,
  lane: number | undefined,
  params: Parameters,
): string {
  const greatest = dialect === 'sqlite' ? 'max' : 'greatest';
  const table = params.add(collection);
  const now = params.add(Date.now() * 1000);
  const idle = `(SELECT lane FROM collection_lanes WHERE collection = ${table} LIMIT 1 FOR UPDATE SKIP LOCKED)`;
  return `UPDATE collection_lanes SET seq = ${greatest}(seq + 1, ${now}), n = n + ${params.add(added)}
    WHERE collection = ${table} AND lane = ${lane === undefined ? idle : params.add(lane)} RETURNING lane, seq`;
}
