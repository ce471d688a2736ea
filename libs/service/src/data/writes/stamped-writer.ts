import type { MaybePromise } from '@items/conventions';
import type { Dialect } from '../schema/dialect.js';
import type { SqlValue, Transaction } from '../database/database.js';
import { LANES } from '../schema/schema.js';
import type { VersionedRow } from '../database/versioned-row.js';

import { ClockSql, type Recording } from './clock-sql.js';
import { KNOWN_STAMP, stampBefore, type Stamp, type StampedWrite, textOf } from '../definition/stamp-terms.js';
import { adjustingAll, adjustingOne, type Adjustment } from '../lists/totals.js';

/** Where the stamp is known, it comes before the values of a write. */
const FIRST_BEHIND_STAMP = 3;
/** So many texts of statements are kept. */
const CAPACITY = 500;
/** SQLite has one writer, so that one lane is enough. */
const ONLY_LANE = 0;

/** A lane of a collection before a write, as SQLite reads it. */
interface NextStamp extends Stamp {
  /** When the latest walk may have begun. */
  readonly walks_until: number;
}

/** A row has changed since it was read: its writer reads it again, and locks it. */
export class ChangedMeanwhileError extends Error {}

/** What a statement of PostgreSQL depends on beside its writes. */
interface StatementForm {
  /** How many changes it makes. */
  readonly changes: number;
  /** Whether any idle lane is taken. */
  readonly isIdle: boolean;
  /** Whether nothing locks the row. */
  readonly isUnlocked: boolean;
}

/** A write as a part of the statement. */
interface PlacedWrite {
  readonly write: StampedWrite;
  /** How many changes of the statement come after the one that it belongs to. */
  readonly changesAfter: number;
}

/** What one stamp stands for. */
export interface Change {
  readonly collection: string;
  /** The row as it was read, of which it is a change; undefined for one that is added. */
  readonly current?: VersionedRow;
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
 * Where writes make events, or are audited, a stamp is also above all that any lane of such collections has committed, so that the order
 * of stamps is one order of all events; and above the lane's own tick, up to which a reader was told that there is
 * nothing more. `event_seq` and `gaps` tell writes that made no event: see events/README.md.
 */
export class StampedWriter {
  /** The lane that a transaction has taken: a second one would only keep others out. */
  private readonly taken = new WeakMap<Transaction, Map<string, number>>();
  /** Texts of statements, by their shape: putting one together costs more than sending it. */
  private readonly texts = new Map<string, string>();
  private readonly clockSql: ClockSql;
  private readonly readSql: string;
  private readonly advanceSql: string;

  constructor(
    private readonly dialect: Dialect,
    recording: Recording = 'none',
  ) {
    this.clockSql = new ClockSql(dialect, recording);
    this.readSql = this.clockSql.read();
    this.advanceSql = this.clockSql.advance();
  }

  /**
   * At once where the database is in this process.
   * @throws {ChangedMeanwhileError} nothing locks the row, and it is not as it was read any more.
   */
  write(tx: Transaction, change: Change): MaybePromise<Stamp> {
    return tx.run === undefined ? this.writeInLane(tx, change, [change]) : this.writeInTurn(tx as AtOnce, change);
  }

  /** Rows that are added to one collection: on PostgreSQL by one statement. At once where {@link write} is. */
  writeAll(tx: Transaction, changes: readonly Change[]): MaybePromise<Stamp[]> {
    if (tx.run !== undefined) return changes.map((change) => this.writeInTurn(tx as AtOnce, change));
    const [first] = changes;
    if (first === undefined) return [];
    return this.writeInLane(tx, first, changes).then(({ lane, seq }) =>
      changes.map((_, index) => ({ lane, seq: seq - (changes.length - 1 - index) })),
    );
  }

  /** @returns the stamp of the last change; those of the others come right before it. */
  private async writeInLane(tx: Transaction, first: Change, changes: readonly Change[]): Promise<Stamp> {
    const { collection } = first;
    // What is a transaction by itself has taken none, and takes none for another.
    const lanes = tx.isAlone === true ? undefined : this.lanesOf(tx);
    let [stamp] = await this.attempt(tx, first, changes, lanes?.get(collection));
    if (stamp === undefined) {
      [stamp] = await this.attempt(tx, first, changes, Math.floor(Math.random() * LANES[this.dialect]));
    }
    if (stamp === undefined) throw isUnlocked(tx, first) ? new ChangedMeanwhileError() : noLanes();
    lanes?.set(collection, stamp.lane);
    return stamp;
  }

  /**
   * The same parts in the same order, each a statement: SQLite is in this process. What may be refused, the row, comes first,
   * so that there is nothing to undo then.
   */
  private writeInTurn(tx: AtOnce, change: Change): Stamp {
    const { collection, added, writes, adjustments } = change;
    const [next] = tx.run<NextStamp>(this.readSql, [collection, Date.now() * 1000, ONLY_LANE]);
    if (next === undefined) throw noLanes();
    const { lane, seq, walks_until: walksUntil } = next;
    const counts = adjustments.map((adjustment) => adjustingOne(collection, adjustment));
    for (const write of [...writes, ...counts]) {
      if (write.forWalksSince !== undefined && write.forWalksSince > walksUntil) continue;
      const sql = this.texts.get(write.shape) ?? this.keep(write.shape, textOf(write, FIRST_BEHIND_STAMP, KNOWN_STAMP));
      tx.run(sql, [lane, seq, ...write.values]);
    }
    tx.run(this.advanceSql, [lane, seq, collection, added]);
    return { lane, seq };
  }

  /**
   * One statement: PostgreSQL is a round trip away.
   * @param lane the one to take, and to wait for; otherwise one that is idle.
   * @returns nothing where none is idle, or the row is not as it was.
   */
  private attempt(
    tx: Transaction,
    first: Change,
    changes: readonly Change[],
    lane: number | undefined,
  ): Promise<Stamp[]> {
    const { collection, added } = first;
    const form = { changes: changes.length, isIdle: lane === undefined, isUnlocked: isUnlocked(tx, first) };
    const writes = writesOf(collection, changes);
    let shape = `${String(form.changes)} ${String(form.isIdle)} ${String(form.isUnlocked)}`;
    for (const { write, changesAfter } of writes) shape += `; ${String(changesAfter)} ${write.shape}`;
    const sql = this.texts.get(shape) ?? this.keep(shape, this.statement(collection, writes, form));
    const values: SqlValue[] = [collection, Date.now() * 1000, added * changes.length];
    if (lane !== undefined) values.push(lane);
    if (form.isUnlocked) values.push(...placeOf(first.current));
    for (const { write } of writes) values.push(...write.values);
    return tx.query<Stamp>(sql, values);
  }

  private statement(collection: string, writes: readonly PlacedWrite[], form: StatementForm): string {
    const { changes, isIdle, isUnlocked } = form;
    const parts = [...this.clockSql.above];
    let next = isIdle ? 4 : 5;
    let condition = '';
    if (isUnlocked) {
      const [id, lane, seq] = [next, next + 1, next + 2].map((at) => `$${String(at)}`);
      const where = `id = ${String(id)} AND lane = ${String(lane)} AND seq = ${String(seq)}`;
      parts.push(`held AS MATERIALIZED (SELECT 1 FROM ${collection} WHERE ${where} FOR UPDATE)`);
      // Looked at first: who waits for a row holds no lane.
      condition = ' AND EXISTS (SELECT 1 FROM held)';
      next += 3;
    }
    parts.push(`stamp AS (${this.takeSql(changes, isIdle, condition)})`);
    for (const [index, { write, changesAfter }] of writes.entries()) {
      parts.push(`write${String(index)} AS (${textOf(write, next, stampBefore(changesAfter))})`);
      next += write.values.length;
    }
    return `WITH ${parts.join(', ')} SELECT lane, seq FROM stamp`;
  }

  private keep(shape: string, sql: string): string {
    if (this.texts.size >= CAPACITY) this.texts.clear();
    this.texts.set(shape, sql);
    return sql;
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
  private takeSql(changes: number, isIdle: boolean, condition: string): string {
    const first = this.clockSql.next('$2');
    const next = changes === 1 ? first : `${first} + ${String(changes - 1)}`;
    const idle = `(SELECT lane FROM collection_lanes WHERE collection = $1${condition}
      LIMIT 1 FOR UPDATE SKIP LOCKED)`;
    return `UPDATE collection_lanes SET seq = ${next}, n = n + $3${this.clockSql.noted(next)}
      WHERE collection = $1 AND lane = ${isIdle ? idle : `$4${condition}`} RETURNING lane, seq`;
  }
}

/** A transaction of a database in this process. */
type AtOnce = Required<Pick<Transaction, 'run'>>;

/** The writes of all changes, and one of all counters. */
function writesOf(collection: string, changes: readonly Change[]): PlacedWrite[] {
  const placed: PlacedWrite[] = [];
  const adjustments: Adjustment[] = [];
  let changesAfter = changes.length;
  for (const change of changes) {
    changesAfter -= 1;
    for (const write of change.writes) placed.push({ write, changesAfter });
    adjustments.push(...change.adjustments);
  }
  if (adjustments.length > 0) placed.push({ write: adjustingAll(collection, adjustments), changesAfter: 0 });
  return placed;
}

function isUnlocked({ isAlone }: Transaction, { current }: Change): boolean {
  return isAlone === true && current !== undefined;
}

/** What tells a row as it was read from one that was written since. */
function placeOf(row: VersionedRow | undefined): SqlValue[] {
  return row === undefined ? [] : [row.id, row.lane, row.seq];
}

function noLanes(): Error {
  return new Error('The collection has no lanes: its migration has not run.');
}
