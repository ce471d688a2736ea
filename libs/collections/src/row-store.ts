import { type Eventual, andThen } from '@items/conventions';
import { type Database, isRowId, type Queryable, type Transaction } from '@items/store';
import type { Column, VersionedRow } from '@items/store/parts';
import { v7 as uuidv7 } from 'uuid';

import type { ChangeRecorder } from './change-recorder.js';
import { versionsOf, type Own, type Values } from './collection.js';
import { filterWhere } from './filter-conditions.js';
import { LaneClock, type StampedWrite } from './lane-clock.js';
import { Parameters } from './parameters.js';
import type { Totals } from './totals.js';
import { parentFilter, type ParentKeys } from './parent-keys.js';

/** How many ids one statement asks for: few sizes, since each is a statement of its own. */
const READ_SIZES = [1, 5, 20, 100];

/** The one place that writes rows of a collection: each write stamps, keeps the replaced version, and counts. */
export class RowStore<Row extends VersionedRow> {
  private readonly clock: LaneClock;
  private readonly columns: readonly string[];
  private readonly selectSql: string;

  constructor(
    private readonly database: Database,
    private readonly table: string,
    columns: readonly Column[],
    private readonly totals: Totals,
    private readonly recorder?: ChangeRecorder,
  ) {
    this.clock = new LaneClock(database.dialect, recorder !== undefined);
    this.columns = columns.map((column) => column.name);
    this.selectSql = `SELECT ${this.columns.join(', ')} FROM ${table} WHERE id = $1`;
  }

  /** @param id anything: what cannot be an id is unknown. */
  find(id: string): Eventual<Row | undefined> {
    if (!isRowId(id)) return undefined;
    return andThen(this.database.readFirst<Row>(this.selectSql, [id]), ([row]) => row);
  }

  /** Those of the rows that exist, as of one moment, in no order. @param ids anything, at most 100. */
  async findAll(database: Queryable, ids: readonly string[]): Promise<Row[]> {
    const known = [...new Set(ids)].filter(isRowId);
    const [first] = known;
    if (first === undefined) return [];
    const size = READ_SIZES.find((size) => size >= known.length) ?? known.length;
    const asked = [...known, ...Array<string>(size - known.length).fill(first)];
    const placeholders = asked.map((_, index) => `$${String(index + 1)}`).join(', ');
    return database.query<Row>(this.selectSql.replace('id = $1', `id IN (${placeholders})`), asked);
  }

  /** Whether there is any row of a nested collection. */
  async hasAny(parent: ParentKeys): Promise<boolean> {
    const params = new Parameters();
    const where = filterWhere(this.database.dialect, parentFilter(parent), params);
    const rows = await this.database.query(`SELECT 1 FROM ${this.table} WHERE ${where} LIMIT 1`, params.values);
    return rows.length > 0;
  }

  /** The row, locked until the transaction ends. */
  async lock(tx: Transaction, id: string): Promise<Row | undefined> {
    if (!isRowId(id)) return undefined;
    const forUpdate = this.database.dialect === 'postgres' ? ' FOR UPDATE' : '';
    const [row] = await tx.query<Row>(this.selectSql + forUpdate, [id]);
    return row;
  }

  async insert(tx: Transaction, own: Own<Row>): Promise<Row> {
    const id = uuidv7();
    const now = timeOf(id);
    const row = { ...own, id, created_at: now, updated_at: now } as unknown as Row;
    const insert: StampedWrite = (params) => {
      const values = this.columns.map((column) =>
        isStamp(column) ? `stamp.${column}` : params.add(valuesOf(row)[column] ?? null),
      );
      return `INSERT INTO ${this.table} (${this.columns.join(', ')}) SELECT ${values.join(', ')} FROM stamp`;
    };
    const stamp = await this.clock.write(tx, this.table, 1, [
      insert,
      ...this.totals.adjustments(undefined, valuesOf(row)),
      ...this.recorded(undefined, row),
    ]);
    return { ...valuesOf(row), ...stamp } as unknown as Row;
  }

  /**
   * @param current the row as {@link lock} has given it.
   * @param kept for a change that is no update to its clients: its time stays, and it is no event.
   */
  async update(tx: Transaction, current: Row, own: Partial<Own<Row>>, kept?: 'keeping time'): Promise<Row> {
    const updatedAt = kept === undefined ? Math.max(Date.now(), current.updated_at) : current.updated_at;
    const changes: Values = { ...(own as Values), updated_at: updatedAt };
    const row = { ...valuesOf(current), ...changes } as unknown as Row;
    const update: StampedWrite = (params) => {
      // Only what changes: SQLite writes the entries of an index anew whose column is named, whatever its value.
      const changed = Object.entries(changes).filter(([column, value]) => value !== valuesOf(current)[column]);
      const assignments = changed.map(([column, value]) => `${column} = ${params.add(value)}, `);
      return `UPDATE ${this.table} SET ${assignments.join('')}lane = stamp.lane, seq = stamp.seq
        FROM stamp WHERE id = ${params.add(current.id)}`;
    };
    const stamp = await this.clock.write(tx, this.table, 0, [
      this.keepVersion(current.id),
      update,
      ...this.totals.adjustments(valuesOf(current), valuesOf(row)),
      ...(kept === undefined ? this.recorded(current, row) : []),
    ]);
    return { ...valuesOf(row), ...stamp } as unknown as Row;
  }

  /** Walks leave out a row that is gone, though its versions stay for a while. @param current as {@link lock} gave it. */
  async remove(tx: Transaction, current: Row): Promise<void> {
    const remove: StampedWrite = (params) =>
      `DELETE FROM ${this.table} WHERE id = ${params.add(current.id)} AND EXISTS (SELECT 1 FROM stamp)`;
    await this.clock.write(tx, this.table, -1, [
      remove,
      ...this.totals.adjustments(valuesOf(current), undefined),
      ...this.recorded(current, undefined),
    ]);
  }

  private recorded(before: Row | undefined, after: Row | undefined): StampedWrite[] {
    const write = this.recorder?.record(before, after);
    return write === undefined ? [] : [write];
  }

  private keepVersion(id: string): StampedWrite {
    const columns = this.columns.join(', ');
    const old = this.columns.map((column) => `old.${column}`).join(', ');
    return (params) => `INSERT INTO ${versionsOf(this.table)} (${columns}, lane_to, seq_to)
      SELECT ${old}, stamp.lane, stamp.seq FROM ${this.table} old, stamp WHERE old.id = ${params.add(id)}`;
  }
}

function isStamp(column: string): boolean {
  return column === 'lane' || column === 'seq';
}

function valuesOf(row: VersionedRow): Values {
  return row as unknown as Values;
}

/** The moment a UUIDv7 was made, in milliseconds since the epoch. RFC 9562 §5.7 */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
