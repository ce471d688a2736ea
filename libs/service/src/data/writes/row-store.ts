import { type MaybePromise, thenMaybe, ValidationError } from '@items/conventions';
import type { Database, Queryable, Transaction } from '../database/database.js';
import { isRowId, ROW_ID } from '../schema/row-id.js';
import type { Origin, RuleCaller } from '../database/origin.js';
import type { Dialect } from '../schema/dialect.js';
import { ROW_COLUMNS } from '../schema/columns.js';
import { ROWS_PER_BATCH } from '../database/batched.js';
import type { VersionedRow } from '../database/versioned-row.js';
import { v7 as uuidv7 } from 'uuid';
import type { AuditNote, ChangeRecorder } from '../definition/change-recorder.js';
import { type CollectionDefinition, type ComputedColumns, type Values } from '../definition/collection.js';
import { filterWhere } from '../lists/filter-conditions.js';
import type { StampOrder } from './clock-sql.js';
import { type RowChange, NeedsTransactionError, StampedWriter } from './stamped-writer.js';
import { Parameters } from '../lists/page-statement.js';
import { RowStatements } from './row-statements.js';
import type { Stamp } from '../definition/stamp-terms.js';
import type { Totals } from '../lists/totals.js';
import { parentFilter, type ParentKeys } from '../definition/parent-keys.js';
import { sqlName } from '../schema/quoted.js';

/** Numbers of ids per statement. There are few, because each number needs its own statement. */
const READ_SIZES = [1, 5, 20, 100];

/** Imported times may be this far in the future, because the exporting machine's clock may be ahead. */
export const IMPORT_CLOCK_TOLERANCE_MS = 1000;

export interface NewRow {
  readonly own: Values;
  readonly past?: Past;
  /** Default: the origin of the transaction. */
  readonly origin?: Origin | undefined;
}

/** Values of an imported row. Times are in milliseconds. */
export interface Past {
  readonly id?: string;
  readonly created_at?: number;
  readonly updated_at?: number;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const NO_RECORDER: Pick<ChangeRecorder, 'record'> = { record: () => [] };

type StoredCollection = Pick<CollectionDefinition<never, never>, 'name' | 'columns' | 'computed'>;

/** Every write goes through this class: it gives the row a stamp, saves the replaced version and adjusts the totals. */
export class RowStore {
  protected readonly table: string;
  protected readonly dialect: Dialect;
  private readonly computed: ComputedColumns | undefined;
  private readonly writer: StampedWriter;
  private readonly statements: RowStatements;
  private readonly own: readonly string[];
  readonly selectSql: string;
  private readonly lockSql: string;
  private readonly recorder: Pick<ChangeRecorder, 'record'>;
  private readonly addGathered: (row: NewRow, origin?: Origin) => Promise<VersionedRow>;

  constructor(
    protected readonly database: Database,
    { name: table, columns, computed }: StoredCollection,
    private readonly totals: Totals,
    recorder?: ChangeRecorder,
  ) {
    this.table = table;
    this.dialect = database.dialect;
    this.computed = computed;
    this.writer = new StampedWriter(database.dialect, stampOrderOf(recorder));
    this.recorder = recorder ?? NO_RECORDER;
    const names = columns.map((column) => column.name);
    this.own = names.filter((name) => !ROW_COLUMNS.some((column) => column.name === name));
    this.statements = new RowStatements(database.dialect, table, names);
    this.selectSql = `SELECT ${names.map(sqlName).join(', ')} FROM ${sqlName(table)} WHERE id = $1`;
    this.addGathered = database.gathering((tx, rows: readonly NewRow[]) => this.insertAll(tx, rows));
    this.lockSql = `${this.selectSql}${database.dialect === 'postgres' ? ' FOR UPDATE' : ''}`;
  }

  add(row: NewRow): Promise<VersionedRow> {
    if (this.dialect === 'postgres') return this.addGathered(row, row.origin);
    return this.database.autocommit((tx) => this.insert(tx, row.own, row.past), row.origin);
  }

  async findAll(database: Queryable, ids: readonly string[]): Promise<VersionedRow[]> {
    const known = [...new Set(ids)].filter(isRowId);
    const [first] = known;
    if (first === undefined) return [];
    const size = READ_SIZES.find((size) => size >= known.length) ?? known.length;
    const padded = [...known, ...Array<string>(size - known.length).fill(first)];
    const placeholders = padded.map((_, index) => `$${String(index + 1)}`).join(', ');
    return database.query<VersionedRow>(this.selectSql.replace('id = $1', `id IN (${placeholders})`), padded);
  }

  /** Returns the error of the first unknown new reference. Holds no lock afterwards. */
  unknownReferenceError(_own: Values, _current?: VersionedRow, _caller?: RuleCaller): Promise<Error | undefined> {
    return Promise.resolve(undefined);
  }

  /** Returns the error of a deletion that references prevent. Locks nothing. */
  referencedError(_id: string): Promise<Error | undefined> {
    return Promise.resolve(undefined);
  }

  async hasAny(parent: ParentKeys): Promise<boolean> {
    const params = new Parameters();
    const where = filterWhere(this.dialect, parentFilter(parent), params);
    const sql = `SELECT 1 FROM ${sqlName(this.table)} WHERE ${where} LIMIT 1`;
    return (await this.database.query(sql, params.values)).length > 0;
  }

  lock(tx: Transaction, id: string): MaybePromise<VersionedRow | undefined> {
    if (!ROW_ID.test(id)) return undefined;
    if (tx.run !== undefined) return tx.run<VersionedRow>(this.selectSql, [id])[0];
    return tx.query<VersionedRow>(tx.isAutocommit === true ? this.selectSql : this.lockSql, [id]).then(([row]) => row);
  }

  /**
   * Runs work that reads one row and then writes it. On PostgreSQL, the work first runs without a transaction. After a
   * concurrent change of the row, or to check references, the work runs again in a transaction with locks.
   * @param work Calls {@link lock}, then writes once or throws.
   */
  async writeOne<Result>(work: (tx: Transaction) => MaybePromise<Result>, origin?: Origin): Promise<Result> {
    try {
      return await this.database.autocommit(work, origin);
    } catch (error) {
      if (error instanceof NeedsTransactionError) return this.database.transaction(work, origin);
      throw error;
    }
  }

  insert(tx: Transaction, own: Values, past?: Past, _caller?: RuleCaller): MaybePromise<VersionedRow> {
    const row = this.newRow(own, past);
    return thenMaybe(this.writer.write(tx, this.addition(row, tx.origin)), (stamp) => Object.assign(row, stamp));
  }

  /** PostgreSQL inserts a batch in one statement, because `autocommit` commits each statement separately. */
  insertAll(tx: Transaction, added: readonly NewRow[]): MaybePromise<readonly VersionedRow[]> {
    if (added.length > ROWS_PER_BATCH) return this.insertInParts(tx, added);
    const rows = added.map(({ own, past }) => this.newRow(own, past));
    const changes = rows.map((row, index) => this.addition(row, added[index]?.origin ?? tx.origin));
    return thenMaybe(this.writer.writeAll(tx, changes), (stamps) =>
      rows.map((row, index) => Object.assign(row, stamps[index])),
    );
  }

  /** Avoids object spread, because V8 takes ten times as long for it. */
  private newRow(own: Values, past: Past = {}): VersionedRow {
    const { id = uuidv7() } = past;
    // A given id need not be a UUIDv7, so its time is not used.
    const { created_at: created = past.id === undefined ? timeOf(id) : Date.now() } = past;
    const { updated_at: updated = created } = past;
    if (past.created_at !== undefined) requirePast('created_at', created);
    if (past.updated_at !== undefined) requirePast('updated_at', updated);
    const row = { id, created_at: created, updated_at: updated, lane: 0, seq: 0 } as Writable<VersionedRow>;
    for (const column of this.own) row[column] = own[column] ?? null;
    return row;
  }

  private async insertInParts(tx: Transaction, added: readonly NewRow[]): Promise<readonly VersionedRow[]> {
    const rows: VersionedRow[] = [];
    for (let begin = 0; begin < added.length; begin += ROWS_PER_BATCH) {
      rows.push(...(await this.insertAll(tx, added.slice(begin, begin + ROWS_PER_BATCH))));
    }
    return rows;
  }

  private addition(row: VersionedRow, origin: Origin | undefined): RowChange {
    return {
      collection: this.table,
      added: 1,
      writes: [this.statements.insert(row), ...this.recorder.record({ before: undefined, after: row, origin })],
      adjustments: this.totals.adjustments(undefined, row),
    };
  }

  /**
   * @param current Row returned by {@link lock}.
   * @param own Columns to change, except computed columns.
   * @param note 'quiet' leaves `updated_at` unchanged and makes no event.
   */
  update(
    tx: Transaction,
    current: VersionedRow,
    own: Values,
    note?: AuditNote | 'quiet',
    _caller?: RuleCaller,
  ): MaybePromise<VersionedRow> {
    const isQuiet = note === 'quiet';
    const updatedAt = isQuiet ? current.updated_at : Math.max(Date.now(), current.updated_at);
    const changes = { ...own, ...this.computed?.of({ ...current, ...own }), updated_at: updatedAt };
    const row: VersionedRow = { ...current, ...changes };
    const records = isQuiet ? [] : this.recorder.record({ before: current, after: row, origin: tx.origin, note });
    const stamped = this.writer.write(tx, {
      collection: this.table,
      current,
      added: 0,
      writes: [this.statements.update(current, changes), this.statements.saveVersion(current), ...records],
      adjustments: this.totals.adjustments(current, row),
    });
    return thenMaybe(stamped, (stamp) => Object.assign(row, stamp));
  }

  remove(tx: Transaction, current: VersionedRow, note?: AuditNote): MaybePromise<Stamp> {
    const records = this.recorder.record({ before: current, after: undefined, origin: tx.origin, note });
    return this.writer.write(tx, {
      collection: this.table,
      current,
      added: -1,
      writes: [this.statements.remove(current), ...records],
      adjustments: this.totals.adjustments(current, undefined),
    });
  }

  note(tx: Transaction, current: VersionedRow, note: AuditNote): MaybePromise<Stamp> {
    const writes = this.recorder.record({ before: current, after: current, origin: tx.origin, note, hasNoRow: true });
    return this.writer.write(tx, { collection: this.table, added: 0, writes, adjustments: [] });
  }
}

/**
 * Refuses a future time, because walks in order of time end at the present and would miss the row.
 * @throws {ValidationError} 422
 */
function requirePast(field: string, ms: number): void {
  if (ms <= Date.now() + IMPORT_CLOCK_TOLERANCE_MS) return;
  throw new ValidationError([{ field, code: 'in_future', message: `"${field}" must not be in the future.` }]);
}

/** Time of a UUIDv7 in milliseconds. RFC 9562 §5.7 */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function stampOrderOf(recorder: ChangeRecorder | undefined): StampOrder {
  if (recorder === undefined) return 'none';
  return recorder.recordsEvents ? 'events' : 'ordered';
}
