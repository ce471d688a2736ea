import type { QueryRunner } from 'typeorm';
import type { Dialect } from './dialect.js';
import { MAX_NAME_LENGTH, quoted, shortName, sqlName } from './quoted.js';

/** Lanes per collection. On PostgreSQL, writers wait for each other only within a lane. SQLite has one writer. */
export const LANES: Readonly<Record<Dialect, number>> = { sqlite: 1, postgres: 16 };

export const FIRST_CLOCK = 1;

export interface SortableColumn {
  readonly column: string;
  readonly nullable?: boolean;
  /** True if many rows share a value. Descending order gets its own indexes, because ids ascend among equal values. */
  readonly ties?: boolean;
}

export interface CollectionLists {
  readonly table: string;
  readonly sortable: readonly SortableColumn[];
  readonly filters: readonly string[];
  /** Column whose value comes from the path of a nested collection. Every index begins with this column. */
  readonly parent?: string;
  /** Prefix of index names. Default: `<table>_by`. */
  readonly named?: string;
}

export interface CollectionSchema extends CollectionLists {
  /** SQL of the collection's own columns, such as `name ${text} NOT NULL`. */
  readonly columns: readonly string[];
  /** Columns with ids of other members. Indexed, because the deletion of such members searches these columns. */
  readonly references?: readonly string[];
  readonly unique?: readonly { readonly index: string; readonly columns: readonly string[] }[];
  /** Constraints of the main table, such as `FOREIGN KEY (user_id) REFERENCES users (id)`. */
  readonly constraints?: readonly string[];
}

const REFUSAL = `CREATE OR REPLACE FUNCTION refuse_unstamped_update() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '${unstamped('%')}', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
  END $$`;

/** Creates tables of collections. Both databases sort texts by code point. */
export class Schema {
  readonly dialect: Dialect;
  readonly id: string;
  readonly text: string;
  /** Integers, times (milliseconds) and money (cents). */
  readonly int = 'bigint';
  readonly float = 'double precision';

  constructor(private readonly runner: QueryRunner) {
    const postgres = runner.dataSource.options.type === 'postgres';
    this.dialect = postgres ? 'postgres' : 'sqlite';
    this.id = postgres ? 'uuid' : 'text';
    this.text = postgres ? 'text COLLATE "C"' : 'text';
  }

  async run(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.runner.query(statement);
  }

  get rowColumns(): string[] {
    return [`id ${this.id} NOT NULL`, `created_at ${this.int} NOT NULL`, `updated_at ${this.int} NOT NULL`];
  }

  get stampColumns(): string[] {
    return ['lane smallint NOT NULL', `seq ${this.int} NOT NULL`];
  }

  async createCollection(schema: CollectionSchema): Promise<void> {
    const { table, columns, constraints = [] } = schema;
    const all = [...this.rowColumns, ...this.stampColumns, ...columns, 'PRIMARY KEY (id)', ...constraints];
    await this.run(`CREATE TABLE ${sqlName(table)} (${all.join(', ')})`);
    await this.createListIndexes(schema);
    for (const column of schema.references ?? []) {
      await this.run(`CREATE INDEX ${quoted(referenceIndex(table, column))} ON ${sqlName(table)} (${sqlName(column)})`);
    }
    for (const { index, columns } of schema.unique ?? []) {
      await this.run(`CREATE UNIQUE INDEX ${quoted(index)} ON ${sqlName(table)} (${columns.map(sqlName).join(', ')})`);
    }
    await this.createVersions(schema);
    await this.createLanes(table);
    await this.guardRows(table);
  }

  /**
   * @param columns SQL such as `rank bigint`, or `rank bigint NOT NULL DEFAULT 0` to set a value in existing rows.
   * @example await schema.addColumns('books', `rank ${schema.int}`);
   */
  async addColumns(table: string, ...columns: readonly string[]): Promise<void> {
    for (const column of columns) await this.alter(table, `ADD COLUMN ${column}`);
  }

  async dropColumns(table: string, ...columns: readonly string[]): Promise<void> {
    for (const column of columns) await this.alter(table, `DROP COLUMN ${sqlName(column)}`);
  }

  /**
   * Adds a trigger that refuses an UPDATE without a new stamp (`lane` and `seq`). Walks would not notice such a change,
   * and the old entity tag would stay valid.
   * SQLite refuses with FAIL before the row changes, so there is nothing to undo. With ABORT, each update would copy
   * every page before changing it. ADR 61
   */
  async guardRows(table: string): Promise<void> {
    const changed = `${guardOf(table)} BEFORE UPDATE ON ${sqlName(table)} FOR EACH ROW
      WHEN (NEW.seq = OLD.seq AND NEW.lane = OLD.lane)`;
    if (this.dialect === 'sqlite') {
      const refusal = `SELECT RAISE(FAIL, '${unstamped(table)}');`;
      await this.run(`CREATE TRIGGER IF NOT EXISTS ${changed} BEGIN ${refusal} END`);
    } else {
      await this.run(REFUSAL, `CREATE OR REPLACE TRIGGER ${changed} EXECUTE FUNCTION refuse_unstamped_update()`);
    }
  }

  async unguardRows(table: string): Promise<void> {
    await this.run(
      `DROP TRIGGER IF EXISTS ${guardOf(table)}${this.dialect === 'postgres' ? ` ON ${sqlName(table)}` : ''}`,
    );
  }

  /**
   * Runs statements of a migration that change rows without a new stamp, such as to fill a new column. Running walks
   * show the new values, and entity tags stay valid.
   * @example await schema.rewriteRows('books', 'UPDATE books SET rank = 7');
   */
  async rewriteRows(table: string, ...statements: readonly string[]): Promise<void> {
    await this.unguardRows(table);
    await this.run(...statements);
    await this.guardRows(table);
  }

  async createListIndexes(lists: CollectionLists): Promise<void> {
    for (const { name, columns } of this.listIndexes(lists)) {
      await this.run(`CREATE INDEX ${name} ON ${sqlName(lists.table)} (${columns})`);
    }
  }

  /**
   * Creates few indexes, because each index adds a disk page to every write. A page of a walk reads few versions, so
   * filters and the descending order need no index.
   */
  async createVersions({ table, columns, sortable, parent }: CollectionSchema): Promise<void> {
    const versions = `${table}_versions`;
    const behind = parent === undefined ? '' : `${sqlName(parent)}, `;
    const end = ['lane_to smallint NOT NULL', `seq_to ${this.int} NOT NULL`];
    await this.run(
      `CREATE TABLE ${versions} (${[...this.rowColumns, ...this.stampColumns, ...columns, ...end].join(', ')})`,
      `CREATE INDEX ${shortName(`${versions}_by_end`)} ON ${versions} (lane_to, seq_to)`,
      ...sortable.map(
        ({ column }) => `CREATE INDEX ${versionsIndex(table, column)} ON ${versions} (${behind}${sqlName(column)}, id)`,
      ),
    );
  }

  async createLanes(table: string): Promise<void> {
    for (let lane = 0; lane < LANES[this.dialect]; lane++) {
      await this.run(
        `INSERT INTO collection_lanes (collection, lane, seq, n, floor, checkpoint, checkpoint_at)
         VALUES ('${table}', ${String(lane)}, ${String(FIRST_CLOCK)}, 0, 0, 0, ${String(Date.now())})`,
      );
    }
  }

  private alter(table: string, change: string): Promise<void> {
    return this.run(`ALTER TABLE ${sqlName(table)} ${change}`, `ALTER TABLE ${table}_versions ${change}`);
  }

  private listIndexes({
    table,
    sortable,
    filters,
    parent,
    named = `${table}_by`,
  }: CollectionLists): { name: string; columns: string }[] {
    const indexes = new Map<string, string>();
    for (const filter of ['', ...filters]) {
      const before = [parent ?? '', filter].filter((column) => column !== '');
      const behind = before.map(sqlName);
      const add = (name: string, ...columns: string[]): unknown =>
        indexes.set([...before, name].join('_'), [...behind, ...columns, 'id'].join(', '));
      if (behind.length > 0) indexes.set(before.join('_'), [...behind, 'id'].join(', '));
      for (const { column, nullable, ties } of sortable.filter((key) => key.column !== filter)) {
        add(column, sqlName(column));
        if (ties) add(`${column}_desc`, this.descending(sqlName(column), nullable));
      }
    }
    return [...indexes].map(([name, columns]) => ({ name: shortName(`${named}_${name}`), columns }));
  }

  private descending(column: string, nullable: boolean | undefined): string {
    return nullable && this.dialect === 'postgres' ? `${column} DESC NULLS LAST` : `${column} DESC`;
  }
}

function versionsIndex(table: string, column: string): string {
  // A column named `end` would get the index name `…_by_end`, but this name is taken.
  return column === 'end' ? quoted(`${table}_versions-by-end`) : shortName(`${table}_versions_by_${column}`);
}

export function referenceIndex(table: string, column: string): string {
  return `${column}-of-${table}`.slice(0, MAX_NAME_LENGTH);
}

function guardOf(table: string): string {
  return `${table}_stamped`;
}

function unstamped(table: string): string {
  return `A row of ${table} was changed without a stamp: use its CollectionService, not SQL.`;
}
