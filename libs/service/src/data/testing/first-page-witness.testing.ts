import type { MaybePromise } from '@items/conventions';
import { Database, type SqlValue, type Transaction, type ValueReader } from '../database/database.js';
import type { DatabaseConfig } from '../database/database-options.js';
import type { Dialect } from '../schema/dialect.js';
import { Sqlite } from '../sqlite/sqlite.js';
import { SqliteConnection } from '../sqlite/sqlite-connection.js';
import pg from 'pg';

import { letOthersCommit } from './interleaved.testing.js';
import type { ItemRow } from './oracle.testing.js';

const INT8_OID = pg.types.builtins.INT8;
const STATE = 'SELECT id, created_at, updated_at, name, description, color, price FROM items';

/** Runs a statement and reads the whole collection at the same moment. */
interface Witness {
  read(sql: string, params: readonly SqlValue[]): Promise<{ rows: unknown[]; state: ItemRow[] }>;
  close(): Promise<void>;
}

/**
 * Serves first pages, and records the state of the collection that each statement saw. Both run in one read
 * transaction, which changes nothing for a single statement.
 */
export class FirstPageWitness extends Database {
  override readonly dialect: Dialect;
  private readonly witness: Witness;
  private readonly states: ItemRow[][] = [];
  private isAnnounced = false;

  constructor(
    config: DatabaseConfig,
    private readonly database: Database,
  ) {
    super();
    this.dialect = config.dialect;
    this.witness = config.dialect === 'sqlite' ? sqliteWitness(config.file) : postgresWitness(config.url);
  }

  /** Returns the states since the last call. */
  takeStates(): readonly (readonly ItemRow[])[] {
    return this.states.splice(0);
  }

  override async query<Row>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    const { rows, state } = await this.witness.read(sql, params);
    if (this.isAnnounced) this.states.splice(0);
    this.isAnnounced = false;
    this.states.push(state);
    await letOthersCommit();
    return rows as Row[];
  }

  /** This statement announces the walk, so later statements see another state. */
  override async transaction<T>(work: (tx: Transaction) => MaybePromise<T>): Promise<T> {
    const result = await this.database.transaction(work);
    this.isAnnounced = true;
    await letOthersCommit();
    return result;
  }

  override readSlowly<Result>(_owner: string, work: (reader: ValueReader) => MaybePromise<Result>): Promise<Result> {
    return Promise.resolve(work(this));
  }

  override ping(): Promise<void> {
    return Promise.resolve();
  }

  override use(): never {
    throw new Error('A witness has no watcher.');
  }

  override close(): Promise<void> {
    return this.witness.close();
  }
}

function sqliteWitness(file: string): Witness {
  const raw = new Sqlite(file, { readonly: true });
  raw.function('in_time', () => 1);
  const connection = new SqliteConnection(raw);
  return {
    read: (sql, params) => {
      raw.exec('BEGIN');
      try {
        return Promise.resolve({ state: connection.run<ItemRow>(STATE), rows: connection.run(sql, params) });
      } finally {
        raw.exec('COMMIT');
      }
    },
    close: () => {
      raw.close();
      return Promise.resolve();
    },
  };
}

const types = {
  getTypeParser: ((oid: Parameters<typeof pg.types.getTypeParser>[0], format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : (pg.types.getTypeParser(oid, format) as unknown)) as typeof pg.types.getTypeParser,
};

function postgresWitness(url: string): Witness {
  const pool = new pg.Pool({ connectionString: url, max: 8, types });
  return {
    read: async (sql, params) => {
      const client = await pool.connect();
      try {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        const { rows: state } = await client.query<ItemRow>(STATE);
        const { rows } = await client.query<object>(sql, params as unknown[]);
        await client.query('COMMIT');
        return { state, rows };
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}
