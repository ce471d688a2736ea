import type { Eventual } from '@items/conventions';
import type { Dialect, SqlValue, Transaction, WriteGroup } from '@items/store';
import { LANES, type VersionedRow } from '@items/store/parts';

import { ABOVE_ALL_EVENTS, KeptClocks } from './kept-clocks.js';
import { KeptReads } from './kept-reads.js';
import { KNOWN_STAMP, stampBefore, type Stamp, type StampedWrite, textOf } from './stamp-terms.js';
import { adjusting, type Adjustment } from './totals.js';

/** In a group, the stamp comes before the values of a write. */
const FIRST_IN_GROUP = 3;

/** A row is not as it was read any more: whoever is to write it reads it again, and locks it. */
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

/** A write as a part of the statement: how many changes come behind its own. */
interface PlacedWrite {
  readonly write: StampedWrite;
  readonly before: number;
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

  /**
   * At once where the transaction is one of a group.
   * @throws {ChangedMeanwhileError} nothing locks the row, and it is not as it was read any more.
   */
  write(tx: Transaction, change: Change): Eventual<Stamp> {
    return tx.group === undefined ? this.writeInLane(tx, change, [change]) : this.writeInGroup(tx.group, change);
  }

  /** Rows that are added to one collection: on PostgreSQL by one statement. At once where {@link write} is. */
  writeAll(tx: Transaction, changes: readonly Change[]): Eventual<Stamp[]> {
    const { group } = tx;
    if (group !== undefined) return changes.map((change) => this.writeInGroup(group, change));
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

  /** The stamp is made in memory, and written down once for all that commit together. ADR 52 */
  private writeInGroup(group: WriteGroup, { collection, added, writes, adjustments }: Change): Stamp {
    const clocks = group.kept(KeptClocks);
    const stamp = clocks.stamp(collection, added, this.emits);
    if (stamp === undefined) throw noLanes();
    for (const { group, by } of adjustments) clocks.count(collection, group, by);
    for (const write of writes) {
      const { forWalksSince } = write;
      if (forWalksSince !== undefined && !clocks.isWalkedSince(collection, forWalksSince)) continue;
      const sql = this.texts.get(write.shape, () => textOf(write, FIRST_IN_GROUP, KNOWN_STAMP));
      group.run(sql, [stamp.lane, stamp.seq, ...write.values]);
    }
    return stamp;
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
    for (const { write, before } of writes) shape += `; ${String(before)} ${write.shape}`;
    const sql = this.texts.get(shape, () => this.statement(collection, writes, form));
    const values: SqlValue[] = [collection, Date.now() * 1000, added * changes.length];
    if (lane !== undefined) values.push(lane);
    if (form.isUnlocked) values.push(...placeOf(first.current));
    for (const { write } of writes) values.push(...write.values);
    return tx.query<Stamp>(sql, values);
  }

  private statement(collection: string, writes: readonly PlacedWrite[], form: StatementForm): string {
    const { changes, isIdle, isUnlocked } = form;
    const parts: string[] = [];
    let next = isIdle ? 4 : 5;
    let condition = '';
    if (this.emits) parts.push(`above AS MATERIALIZED (${ABOVE_ALL_EVENTS})`);
    if (isUnlocked) {
      const [id, lane, seq] = [next, next + 1, next + 2].map((at) => `$${String(at)}`);
      const where = `id = ${String(id)} AND lane = ${String(lane)} AND seq = ${String(seq)}`;
      parts.push(`held AS MATERIALIZED (SELECT 1 FROM ${collection} WHERE ${where} FOR UPDATE)`);
      // Looked at first: who waits for a row holds no lane.
      condition = ' AND EXISTS (SELECT 1 FROM held)';
      next += 3;
    }
    parts.push(`stamp AS (${this.advanceSql(changes, isIdle, condition)})`);
    for (const [index, { write, before }] of writes.entries()) {
      parts.push(`write${String(index)} AS (${textOf(write, next, stampBefore(before))})`);
      next += write.values.length;
    }
    return `WITH ${parts.join(', ')} SELECT lane, seq FROM stamp`;
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
  private advanceSql(changes: number, isIdle: boolean, condition: string): string {
    const first = this.nextSql('$2');
    const next = changes === 1 ? first : `${first} + ${String(changes - 1)}`;
    const noted = this.emits ? `, gaps = gaps + CASE WHEN event_seq = seq THEN 0 ELSE 1 END, event_seq = ${next}` : '';
    const idle = `(SELECT lane FROM collection_lanes WHERE collection = $1${condition}
      LIMIT 1 FOR UPDATE SKIP LOCKED)`;
    return `UPDATE collection_lanes SET seq = ${next}, n = n + $3${noted}
      WHERE collection = $1 AND lane = ${isIdle ? idle : `$4${condition}`} RETURNING lane, seq`;
  }

  private nextSql(now: string): string {
    return this.emits ? `greatest(seq + 1, tick + 1, ${now}, (SELECT next FROM above))` : `greatest(seq + 1, ${now})`;
  }
}

/** The writes of all changes, and one of all counters. */
function writesOf(collection: string, changes: readonly Change[]): PlacedWrite[] {
  const placed: PlacedWrite[] = [];
  const adjustments: Adjustment[] = [];
  let before = changes.length;
  for (const change of changes) {
    before -= 1;
    for (const write of change.writes) placed.push({ write, before });
    adjustments.push(...change.adjustments);
  }
  if (adjustments.length > 0) placed.push({ write: adjusting(collection, adjustments), before: 0 });
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
