import { APPLICATION_NAME, type DatabaseSchema } from '../../data/database/database-options.js';
import { migratePostgres } from '../../data/postgres/postgres-source.js';
import { analyseParents } from '../../data/database/analyse-parents.js';
import type pg from 'pg';

import { quoted } from '../session/quoted.js';
import { OperationError } from '../session/operation-error.js';
import { currentSchema, functionsIn, partitionsIn, tablesIn } from '../session/postgres-session.js';
import { timestamp } from './timestamp.js';

/** Name of the advisory lock under which one operation at a time replaces the tables. */
const OPERATION_LOCK = 0x17e_5ee1;
/** Characters of the rows that are sent at once, and their number. */
const MAX_BATCH_CHARACTERS = 4_194_304;
const MAX_BATCH = 500;

/** A row as JSON, and the table that it goes into. */
export interface TableRow {
  readonly table: string;
  readonly row: string;
}

/**
 * A schema of PostgreSQL in which tables are made and filled, while those of the service stay as they are, until all of
 * them change places in one transaction.
 */
export class StagingSchema {
  private constructor(
    private readonly client: pg.Client,
    private readonly url: string,
    /** The schema of the service's tables. */
    readonly home: string,
    readonly name: string,
  ) {}

  /**
   * @param url of the database that the client is connected to.
   * @param applicationName name of the connections of a running service.
   * @throws {OperationError} a service is connected to it, or another operation is under way.
   */
  static async open(
    client: pg.Client,
    url: string,
    name: string,
    applicationName = APPLICATION_NAME,
  ): Promise<StagingSchema> {
    const { rows } = await client.query<{ mine: string }>('SELECT pg_try_advisory_lock($1)::text AS mine', [
      OPERATION_LOCK,
    ]);
    if (rows[0]?.mine !== 'true') {
      throw new OperationError('Another operation works on this database: wait for its end.');
    }
    const { rows: services } = await client.query<{ count: string }>(
      'SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
      [applicationName],
    );
    if (services[0]?.count !== '0') {
      throw new OperationError('The database is in use: stop every instance of the service first.');
    }
    return new StagingSchema(client, url, await currentSchema(client), name);
  }

  /** Without anything in it. */
  async create(): Promise<void> {
    await this.drop();
    await this.client.query(`CREATE SCHEMA ${this.name}`);
  }

  async drop(): Promise<void> {
    await this.client.query(`DROP SCHEMA IF EXISTS ${this.name} CASCADE`);
  }

  /**
   * Makes the tables, or brings them up to date.
   * @throws {OperationError} a pooler did not pass on which schema is meant.
   */
  async migrate(schema: DatabaseSchema): Promise<void> {
    const url = new URL(this.url);
    const options = `${url.searchParams.get('options') ?? ''} -c search_path=${this.name}`;
    url.searchParams.set('options', options.trim());
    await migratePostgres(url.href, schema);
    if ((await this.tables()).length > 0) return;
    throw new OperationError('The tables cannot be made in another schema: name the server itself, not a pooler.');
  }

  /** Its tables but that of the migrations, which is not filled. */
  async tables(): Promise<string[]> {
    return (await tablesIn(this.client, this.name)).filter((table) => table !== 'migrations');
  }

  /** A table of it as SQL takes it. */
  table(name: string): string {
    return `${this.name}.${quoted(name)}`;
  }

  /** Adds rows, whose tables exist, some at a time. */
  async add(rows: AsyncIterable<TableRow> | Iterable<TableRow>): Promise<void> {
    let batch: string[] = [];
    let characters = 0;
    let last = '';
    const send = async (): Promise<void> => {
      if (batch.length > 0) await this.insert(last, batch);
      batch = [];
      characters = 0;
    };
    for await (const { table, row } of rows) {
      if (table !== last || batch.length === MAX_BATCH || characters > MAX_BATCH_CHARACTERS) await send();
      last = table;
      batch.push(row);
      characters += row.length;
    }
    await send();
  }

  /** The columns are found by their names, so that their order does not matter. */
  private async insert(table: string, rows: readonly string[]): Promise<void> {
    const name = this.table(table);
    await this.client.query(`INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1::json)`, [
      `[${rows.join(',')}]`,
    ]);
  }

  /**
   * Puts its tables in the place of the service's.
   * @returns the schema that the former ones are in; undefined where there were none.
   */
  async takePlace(): Promise<string | undefined> {
    const { client, home } = this;
    const former = `former_${timestamp()}`;
    const staged = await this.movable(this.name);
    await client.query('BEGIN');
    await client.query("SET LOCAL lock_timeout = '10s'");
    const partitions = await this.partitions(home);
    const replaced = (await this.movable(home)).filter((what) => staged.includes(what) || partitions.includes(what));
    if (replaced.length > 0) await client.query(`CREATE SCHEMA ${former}`);
    for (const what of replaced) await this.move(home, what, former);
    for (const what of staged) await this.move(this.name, what, home);
    await client.query(`DROP SCHEMA ${this.name}`);
    await client.query('COMMIT');
    await client.query('BEGIN');
    await analyseParents(async (sql): Promise<unknown> => (await client.query(sql)).rows);
    await client.query('COMMIT');
    return replaced.length > 0 ? former : undefined;
  }

  private async partitions(schema: string): Promise<string[]> {
    return (await partitionsIn(this.client, schema)).map((table) => `TABLE ${quoted(table)}`);
  }

  /** Its tables with their partitions, and the functions that their triggers call, each with its kind and as SQL takes it. */
  private async movable(schema: string): Promise<string[]> {
    const tables = await tablesIn(this.client, schema);
    return [
      ...tables.map((table) => `TABLE ${quoted(table)}`),
      ...(await this.partitions(schema)),
      ...(await functionsIn(this.client, schema)).map((name) => `FUNCTION ${quoted(name)}`),
    ];
  }

  private async move(from: string, what: string, to: string): Promise<void> {
    const [kind, name] = what.split(/ (.*)/s);
    await this.client.query(`ALTER ${String(kind)} ${quoted(from)}.${String(name)} SET SCHEMA ${quoted(to)}`);
  }
}
