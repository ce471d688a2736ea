import type { QueryRunner } from 'typeorm';

import type { Dialect } from './dialect.js';

/** Lanes of a collection: writers of PostgreSQL wait for each other only within a lane; SQLite has one writer. */
export const LANES: Readonly<Record<Dialect, number>> = { sqlite: 1, postgres: 16 };

/** Where the clock of a lane stands before anything was written in it. */
export const FIRST_CLOCK = 1;

/** A sortable column of a collection. */
export interface SortableColumn {
  readonly column: string;
  readonly nullable?: boolean;
  /** Many rows share a value: the descending order has indexes of its own, since ids ascend within a value. */
  readonly ties?: boolean;
}

/** How the lists of a collection are sorted and narrowed. */
export interface CollectionLists {
  readonly table: string;
  readonly sortable: readonly SortableColumn[];
  /** Columns that a list is filtered by, or that its path narrows. */
  readonly filters: readonly string[];
  /** The column that every list is narrowed by, since its path says it: every index begins with it. */
  readonly parent?: string;
  /** What the names of the indexes begin with, where `<table>_by` is taken. */
  readonly named?: string;
}

/** What a collection's tables need. */
export interface CollectionSchema extends CollectionLists {
  /** Its own columns as SQL, such as `name ${text} NOT NULL`. */
  readonly columns: readonly string[];
  /** Of members as they are, as SQL: `FOREIGN KEY (user_id) REFERENCES users (id)`. */
  readonly constraints?: readonly string[];
}

/** PostgreSQL: one for the triggers of all tables. */
const REFUSAL = `CREATE OR REPLACE FUNCTION refuse_unstamped_update() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '${unstamped('%')}', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
  END $$`;

/** SQL for both dialects. Text is ordered by code point on both. */
export class Schema {
  readonly dialect: Dialect;
  readonly id: string;
  readonly text: string;
  /** Also times (milliseconds) and money (cents). */
  readonly int = 'bigint';
  /** Numbers that are no amounts. */
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

  /** The columns that every row carries. */
  get rowColumns(): string[] {
    return [`id ${this.id} NOT NULL`, `created_at ${this.int} NOT NULL`, `updated_at ${this.int} NOT NULL`];
  }

  get stampColumns(): string[] {
    return ['lane smallint NOT NULL', `seq ${this.int} NOT NULL`];
  }

  /** All tables, indexes and clocks of a new collection. */
  async createCollection(schema: CollectionSchema): Promise<void> {
    const { table, columns, constraints = [] } = schema;
    const all = [...this.rowColumns, ...this.stampColumns, ...columns, 'PRIMARY KEY (id)', ...constraints];
    await this.run(`CREATE TABLE ${table} (${all.join(', ')})`);
    await this.createListIndexes(schema);
    await this.createVersions(schema);
    await this.createLanes(table);
    await this.guardRows(table);
  }

  /**
   * Adds columns to a collection: to its members, and to what replaced members were, which walks still show.
   * @param columns as SQL: `rank bigint`, or with a value for the rows that are there, `rank bigint NOT NULL DEFAULT 0`.
   * @example
   * await schema.addColumns('books', `rank ${schema.int}`);
   */
  async addColumns(table: string, ...columns: readonly string[]): Promise<void> {
    for (const column of columns) {
      await this.run(...withVersions(table).map((each) => `ALTER TABLE ${each} ADD COLUMN ${column}`));
    }
  }

  /** Takes back {@link addColumns}. @param columns their names. */
  async dropColumns(table: string, ...columns: readonly string[]): Promise<void> {
    for (const column of columns) {
      await this.run(...withVersions(table).map((each) => `ALTER TABLE ${each} DROP COLUMN ${column}`));
    }
  }

  async dropCollection(table: string): Promise<void> {
    await this.run(
      `DROP TABLE ${table}_versions`,
      `DROP TABLE ${table}`,
      `DELETE FROM collection_lanes WHERE collection = '${table}'`,
      `DELETE FROM collection_counts WHERE collection = '${table}'`,
    );
  }

  /**
   * From now on the database refuses an UPDATE of the table that leaves a row its stamp: walks would miss the change, and
   * the entity tag of the row would stay good. A table that is guarded stays so.
   *
   * On SQLite the refusal undoes nothing (FAIL): before each update of a table whose trigger may undo it (ABORT), SQLite
   * copies all pages that it writes to. No row has been changed without a stamp when it is refused. ADR 61
   */
  async guardRows(table: string): Promise<void> {
    const changed = `${guardOf(table)} BEFORE UPDATE ON ${table} FOR EACH ROW
      WHEN (NEW.seq = OLD.seq AND NEW.lane = OLD.lane)`;
    if (this.dialect === 'sqlite') {
      const refusal = `SELECT RAISE(FAIL, '${unstamped(table)}');`;
      await this.run(`CREATE TRIGGER IF NOT EXISTS ${changed} BEGIN ${refusal} END`);
    } else {
      await this.run(REFUSAL, `CREATE OR REPLACE TRIGGER ${changed} EXECUTE FUNCTION refuse_unstamped_update()`);
    }
  }

  /** Lifts {@link guardRows}, also where there is none. */
  async unguardRows(table: string): Promise<void> {
    await this.run(`DROP TRIGGER IF EXISTS ${guardOf(table)}${this.dialect === 'postgres' ? ` ON ${table}` : ''}`);
  }

  /**
   * For a migration: statements that change rows of a collection and leave them their stamps, such as what a new column
   * holds in rows that are there. Walks that are under way see the change, and entity tags stay good.
   * @example
   * await schema.rewriteRows('books', 'UPDATE books SET rank = 7');
   */
  async rewriteRows(table: string, ...statements: readonly string[]): Promise<void> {
    await this.unguardRows(table);
    await this.run(...statements);
    await this.guardRows(table);
  }

  /** Indexes that serve each order as it stands, alone and behind each filter. */
  async createListIndexes(lists: CollectionLists): Promise<void> {
    for (const { name, columns } of this.listIndexes(lists)) {
      await this.run(`CREATE INDEX ${name} ON ${lists.table} (${columns})`);
    }
  }

  /** The same for a table in use: its writers go on meanwhile. Not within a transaction, on PostgreSQL. */
  async addListIndexes(lists: CollectionLists): Promise<void> {
    if (this.dialect === 'sqlite') return this.createListIndexes(lists);
    for (const { name, columns } of this.listIndexes(lists)) {
      // One that an interrupted migration has left is not valid.
      await this.run(
        `DROP INDEX IF EXISTS ${name}`,
        `CREATE INDEX CONCURRENTLY ${name} ON ${lists.table} (${columns})`,
      );
    }
  }

  async dropListIndexes(lists: CollectionLists): Promise<void> {
    await this.run(...this.listIndexes(lists).map(({ name }) => `DROP INDEX ${name}`));
  }

  /**
   * Replaced rows. Each index is one more page to write for an update, so that there are few: filters sift, since a page
   * of a walk reads few versions, and equal values are sorted.
   */
  async createVersions({ table, columns, sortable, parent }: CollectionSchema): Promise<void> {
    const versions = `${table}_versions`;
    const behind = parent === undefined ? '' : `${parent}, `;
    const end = ['lane_to smallint NOT NULL', `seq_to ${this.int} NOT NULL`];
    await this.run(
      `CREATE TABLE ${versions} (${[...this.rowColumns, ...this.stampColumns, ...columns, ...end].join(', ')})`,
      `CREATE INDEX ${versions}_by_end ON ${versions} (lane_to, seq_to)`,
      ...sortable.map(({ column }) => `CREATE INDEX ${versions}_by_${column} ON ${versions} (${behind}${column}, id)`),
    );
  }

  /**
   * @param rows an expression: how many rows the collection has.
   * @param seq an expression: where its clocks start, not before the time of any row, in microseconds.
   */
  async createLanes(table: string, rows = '0', seq = String(FIRST_CLOCK)): Promise<void> {
    for (let lane = 0; lane < LANES[this.dialect]; lane++) {
      const n = lane === 0 ? rows : '0';
      await this.run(
        `INSERT INTO collection_lanes (collection, lane, seq, n, floor, checkpoint, checkpoint_at)
         VALUES ('${table}', ${String(lane)}, ${lane === 0 ? seq : String(FIRST_CLOCK)}, ${n}, 0, 0, ${String(Date.now())})`,
      );
    }
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
      const behind = [parent ?? '', filter].filter((column) => column !== '');
      const add = (name: string, ...columns: string[]): unknown =>
        indexes.set([...behind, name].join('_'), [...behind, ...columns, 'id'].join(', '));
      if (behind.length > 0) indexes.set(behind.join('_'), [...behind, 'id'].join(', '));
      for (const { column, nullable, ties } of sortable.filter((key) => key.column !== filter)) {
        add(column, column);
        if (ties) add(`${column}_desc`, this.descending(column, nullable));
      }
    }
    return [...indexes].map(([name, columns]) => ({ name: `${named}_${name}`, columns }));
  }

  private descending(column: string, nullable: boolean | undefined): string {
    return nullable && this.dialect === 'postgres' ? `${column} DESC NULLS LAST` : `${column} DESC`;
  }
}

/** The tables of a collection that hold members, as they are and as they were. */
function withVersions(table: string): readonly string[] {
  return [table, `${table}_versions`];
}

/** The name of the trigger. */
function guardOf(table: string): string {
  return `${table}_stamped`;
}

function unstamped(table: string): string {
  return `A row of ${table} was changed without a stamp: use its CollectionService, not SQL.`;
}
