/*
 * `POST /books` in a collection with events and an audit. SQLite reads a stamp and passes it to the other statements of
 * the transaction as $1 (lane) and $2 (seq). PostgreSQL runs one statement, in which $1 is the collection, $2 the time
 * and $3 the number of added rows. Checked by feed/header-statements.spec.ts.
 *
 * SQLite:
 *   SELECT lane, max(
 *     seq + 1, $2, tick + 1, (SELECT coalesce(max(seq), 0) + 1 AS next FROM collection_lanes WHERE ordered = 1)
 *   ) AS seq, walks_until
 *   FROM collection_lanes WHERE collection = $1 AND lane = $3;
 *
 *   INSERT INTO books (id, created_at, updated_at, lane, seq, title) VALUES ($3, $4, $5, $1, $2, $6);
 *
 *   INSERT INTO events (place, id, type, object_id, owner_id, api_version, data) VALUES (
 *     2 * $2 + 0, printf('%08x-%04x-7%03x-%s', $2 / 1000 >> 16, ($2 / 1000) & 65535, $2 % 1000, $3), $4, $5, $6, $7, $8
 *   );
 *
 *   INSERT INTO audit_events (
 *     place, id, type, object_id, actor_type, user_id, credential_id, client_id, address, request_id, changed
 *   ) VALUES (
 *     2 * $2 + 0, printf('%08x-%04x-7%03x-%s', $2 / 1000 >> 16, ($2 / 1000) & 65535, $2 % 1000, $3), $4, $5, $6, $7,
 *     $8, $9, $10, $11, $12
 *   );
 *
 *   UPDATE collection_lanes
 *   SET seq = $2, n = n + $4, gaps = gaps + CASE WHEN event_seq = seq THEN 0 ELSE 1 END, event_seq = $2
 *   WHERE collection = $3 AND lane = $1;
 *
 * PostgreSQL:
 *   WITH above AS MATERIALIZED (
 *     SELECT coalesce(max(seq), 0) + 1 AS next FROM collection_lanes WHERE ordered = 1
 *   ), stamp AS (
 *     UPDATE collection_lanes
 *     SET seq = greatest(seq + 1, $2, tick + 1, (SELECT next FROM above)), n = n + $3,
 *       gaps = gaps + CASE WHEN event_seq = seq THEN 0 ELSE 1 END,
 *       event_seq = greatest(seq + 1, $2, tick + 1, (SELECT next FROM above))
 *     WHERE collection = $1
 *       AND lane = (SELECT lane FROM collection_lanes WHERE collection = $1 LIMIT 1 FOR UPDATE SKIP LOCKED)
 *     RETURNING lane, seq
 *   ), write0 AS (
 *     INSERT INTO books (id, created_at, updated_at, lane, seq, title)
 *     SELECT $4, $5, $6, stamp.lane, stamp.seq, $7 FROM stamp
 *   ), write1 AS (
 *     INSERT INTO events (id, type, object_id, owner_id, api_version, data)
 *     SELECT (lpad(to_hex(stamp.seq / 1000), 12, '0') || '7' || lpad(to_hex(stamp.seq % 1000), 3, '0')
 *       || CAST($8 AS text))::uuid, $9, $10, $11, $12, $13 FROM stamp
 *   ), write2 AS (
 *     INSERT INTO audit_events (
 *       id, type, object_id, actor_type, user_id, credential_id, client_id, address, request_id, changed
 *     )
 *     SELECT (lpad(to_hex(stamp.seq / 1000), 12, '0') || '7' || lpad(to_hex(stamp.seq % 1000), 3, '0')
 *       || CAST($14 AS text))::uuid, $15, $16, $17, $18, $19, $20, $21, $22, $23 FROM stamp
 *   )
 *   SELECT lane, seq FROM stamp;
 */

import type { MaybePromise } from '@items/conventions';
import type { Dialect } from '../schema/dialect.js';
import type { SqlValue, Transaction } from '../database/database.js';
import { LANES } from '../schema/schema.js';
import type { VersionedRow } from '../database/versioned-row.js';
import { ClockSql, type StampOrder } from './clock-sql.js';
import { KNOWN_STAMP, stampBefore, type Stamp, type StampedWrite, sqlOf } from '../definition/stamp-terms.js';
import { adjustingAll, adjustingOne, type Adjustment } from '../lists/totals.js';
import { sqlName } from '../schema/quoted.js';

const FIRST_BEHIND_STAMP = 3;
const CAPACITY = 500;
/** SQLite has one writer and therefore one lane. */
const ONLY_LANE = 0;

interface NextStamp extends Stamp {
  readonly walks_until: number;
}

/**
 * Thrown if autocommit work needs a lock: the row has changed since it was read, or references must be checked. The
 * caller repeats the work in a transaction.
 */
export class NeedsTransactionError extends Error {}

interface StatementForm {
  readonly changes: number;
  readonly isIdle: boolean;
  readonly isUnlocked: boolean;
}

interface PlacedWrite {
  readonly write: StampedWrite;
  readonly changesAfter: number;
}

export interface RowChange {
  readonly collection: string;
  /** The previous row. Undefined for a new or unchanged row. */
  readonly current?: VersionedRow;
  readonly added: -1 | 0 | 1;
  readonly writes: readonly StampedWrite[];
  readonly adjustments: readonly Adjustment[];
}

/**
 * The lane of a write stays locked until the transaction ends, so its stamps are in the order of commits, and one read
 * of the `seq` of all lanes is a snapshot. In collections with events or an audit, a stamp exceeds all their committed
 * stamps, so all events have one order. The stamp also exceeds the `tick` of its lane, because readers of events have
 * seen everything up to the tick. `event_seq` and `gaps` mark writes without an event. See feed/README.md.
 */
export class StampedWriter {
  /**
   * Locked lanes by collection. A transaction reuses its lane, because a second lane would only block other writers.
   */
  private readonly lockedLanes = new WeakMap<Transaction, Map<string, number>>();
  /** SQL texts by shape: building a text costs more than sending it. */
  private readonly cachedSql = new Map<string, string>();
  private readonly clockSql: ClockSql;
  private readonly readSql: string;
  private readonly advanceSql: string;

  constructor(
    private readonly dialect: Dialect,
    stampOrder: StampOrder = 'none',
  ) {
    this.clockSql = new ClockSql(dialect, stampOrder);
    this.readSql = this.clockSql.read();
    this.advanceSql = this.clockSql.advance();
  }

  /**
   * Synchronous on SQLite.
   * @throws {NeedsTransactionError} In autocommit work, the row has changed since it was read.
   */
  write(tx: Transaction, change: RowChange): MaybePromise<Stamp> {
    return tx.run === undefined
      ? this.writeOnPostgres(tx, change, [change])
      : this.writeOnSqlite(tx as SyncTransaction, change);
  }

  writeAll(tx: Transaction, changes: readonly RowChange[]): MaybePromise<Stamp[]> {
    if (tx.run !== undefined) return changes.map((change) => this.writeOnSqlite(tx as SyncTransaction, change));
    const [first] = changes;
    if (first === undefined) return [];
    return this.writeOnPostgres(tx, first, changes).then(({ lane, seq }) =>
      changes.map((_, index) => ({ lane, seq: seq - (changes.length - 1 - index) })),
    );
  }

  /** @returns The stamp of the last change. The other stamps directly precede it. */
  private async writeOnPostgres(tx: Transaction, first: RowChange, changes: readonly RowChange[]): Promise<Stamp> {
    const { collection } = first;
    // An autocommit statement unlocks its lane, so no locked lane can be reused.
    const lanes = tx.isAutocommit === true ? undefined : this.lanesOf(tx);
    let [stamp] = await this.attempt(tx, first, changes, lanes?.get(collection));
    if (stamp === undefined) {
      [stamp] = await this.attempt(tx, first, changes, Math.floor(Math.random() * LANES[this.dialect]));
    }
    if (stamp === undefined) throw unlockedRow(tx, first) ? new NeedsTransactionError() : noLanes();
    lanes?.set(collection, stamp.lane);
    return stamp;
  }

  /** Writes the row first, because only this write may be refused. A refusal then leaves nothing to undo. */
  private writeOnSqlite(tx: SyncTransaction, change: RowChange): Stamp {
    const { collection, added, writes, adjustments } = change;
    const [next] = tx.run<NextStamp>(this.readSql, [collection, Date.now() * 1000, ONLY_LANE]);
    if (next === undefined) throw noLanes();
    const { lane, seq, walks_until: walksUntil } = next;
    const counts = adjustments.map((adjustment) => adjustingOne(collection, adjustment));
    for (const write of [...writes, ...counts]) {
      if (write.forWalksSince !== undefined && write.forWalksSince > walksUntil) continue;
      const sql =
        this.cachedSql.get(write.shape) ?? this.cacheSql(write.shape, sqlOf(write, FIRST_BEHIND_STAMP, KNOWN_STAMP));
      tx.run(sql, [lane, seq, ...write.values]);
    }
    tx.run(this.advanceSql, [lane, seq, collection, added]);
    return { lane, seq };
  }

  /**
   * One statement saves round trips to PostgreSQL.
   * @param lane Undefined: any idle lane.
   * @returns Empty if all lanes are busy, or if the row has changed.
   */
  private attempt(
    tx: Transaction,
    first: RowChange,
    changes: readonly RowChange[],
    lane: number | undefined,
  ): Promise<Stamp[]> {
    const { collection, added } = first;
    const unlocked = unlockedRow(tx, first);
    const form = { changes: changes.length, isIdle: lane === undefined, isUnlocked: unlocked !== undefined };
    const writes = writesOf(collection, changes);
    let shape = `${String(form.changes)} ${String(form.isIdle)} ${String(form.isUnlocked)}`;
    for (const { write, changesAfter } of writes) shape += `; ${String(changesAfter)} ${write.shape}`;
    const sql = this.cachedSql.get(shape) ?? this.cacheSql(shape, this.statement(collection, writes, form));
    const values: SqlValue[] = [collection, Date.now() * 1000, added * changes.length];
    if (lane !== undefined) values.push(lane);
    if (unlocked !== undefined) values.push(unlocked.id, unlocked.lane, unlocked.seq);
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
      parts.push(`held AS MATERIALIZED (SELECT 1 FROM ${sqlName(collection)} WHERE ${where} FOR UPDATE)`);
      // The row is locked before the lane, so that a writer that waits for a row holds no lane.
      condition = ' AND EXISTS (SELECT 1 FROM held)';
      next += 3;
    }
    parts.push(`stamp AS (${this.takeSql(changes, isIdle, condition)})`);
    for (const [index, { write, changesAfter }] of writes.entries()) {
      parts.push(`write${String(index)} AS (${sqlOf(write, next, stampBefore(changesAfter))})`);
      next += write.values.length;
    }
    return `WITH ${parts.join(', ')} SELECT lane, seq FROM stamp`;
  }

  private cacheSql(shape: string, sql: string): string {
    if (this.cachedSql.size >= CAPACITY) this.cachedSql.clear();
    this.cachedSql.set(shape, sql);
    return sql;
  }

  private lanesOf(tx: Transaction): Map<string, number> {
    let lanes = this.lockedLanes.get(tx);
    if (lanes === undefined) this.lockedLanes.set(tx, (lanes = new Map<string, number>()));
    return lanes;
  }

  /** Parameters: collection, time, number of added rows, and the lane if `isIdle` is false. */
  private takeSql(changes: number, isIdle: boolean, condition: string): string {
    const first = this.clockSql.next('$2');
    const next = changes === 1 ? first : `${first} + ${String(changes - 1)}`;
    const idle = `(SELECT lane FROM collection_lanes WHERE collection = $1${condition}
      LIMIT 1 FOR UPDATE SKIP LOCKED)`;
    return `UPDATE collection_lanes SET seq = ${next}, n = n + $3${this.clockSql.markEvent(next)}
      WHERE collection = $1 AND lane = ${isIdle ? idle : `$4${condition}`} RETURNING lane, seq`;
  }
}

type SyncTransaction = Required<Pick<Transaction, 'run'>>;

function writesOf(collection: string, changes: readonly RowChange[]): PlacedWrite[] {
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

/** Returns the row that autocommit work has read without a lock. */
function unlockedRow({ isAutocommit }: Transaction, { current }: RowChange): VersionedRow | undefined {
  return isAutocommit === true ? current : undefined;
}

function noLanes(): Error {
  return new Error('The collection has no lanes: its migration has not run.');
}
