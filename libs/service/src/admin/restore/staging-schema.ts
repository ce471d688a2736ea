import { APPLICATION_NAME, type DatabaseSchema } from '../../data/database/database-options.js';
import { migratePostgres } from '../../data/postgres/postgres-source.js';
import { analyseParents } from '../../data/database/analyse-parents.js';
import type pg from 'pg';

import { quoted } from '../../data/schema/quoted.js';
import type { BackupRow } from '../backup/postgres-backup.js';
import { type PlainTable, plainTableStatements } from '../backup/plain-table.js';
import { OperationError } from '../session/operation-error.js';
import { currentSchema, functionsIn, partitionsIn, tablesIn } from '../session/postgres-session.js';
import { timestamp } from './timestamp.js';

/** Advisory lock that lets only one operation at a time replace tables. */
const OPERATION_LOCK = 0x17e_5ee1;
const MAX_BATCH_CHARACTERS = 4_194_304;
const MAX_BATCH = 500;

/** A PostgreSQL schema that holds new tables. One transaction swaps them with the service's tables. */
export class StagingSchema {
  private constructor(
    private readonly client: pg.Client,
    private readonly url: string,
    readonly home: string,
    readonly name: string,
  ) {}

  /**
   * @param applicationName `application_name` by which a running service is found.
   * @throws {OperationError} a service is connected, or another operation is in progress.
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
      throw new OperationError('Another operation is running on this database: wait until it ends.');
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

  async create(): Promise<void> {
    await this.drop();
    await this.client.query(`CREATE SCHEMA ${this.name}`);
  }

  async drop(): Promise<void> {
    await this.client.query(`DROP SCHEMA IF EXISTS ${this.name} CASCADE`);
  }

  /** @throws {OperationError} a pooler did not forward `search_path`. */
  async migrate(schema: DatabaseSchema): Promise<void> {
    const url = new URL(this.url);
    const options = `${url.searchParams.get('options') ?? ''} -c search_path=${this.name}`;
    url.searchParams.set('options', options.trim());
    await migratePostgres(url.href, schema);
    if ((await this.tables()).length > 0) return;
    throw new OperationError('The tables cannot be made in another schema: name the server itself, not a pooler.');
  }

  /** @throws {OperationError} the service has a table of the same name. */
  async createPlain(tables: Readonly<Record<string, PlainTable>>): Promise<void> {
    const ours = await this.tables();
    for (const [name, table] of Object.entries(tables)) {
      if (ours.includes(name)) throw new OperationError(`The service itself has a table ${name} now.`);
      for (const sql of plainTableStatements(this.table(name), table)) await this.client.query(sql);
    }
  }

  async continueNumbers(tables: Readonly<Record<string, PlainTable>>): Promise<void> {
    for (const [name, { columns }] of Object.entries(tables)) {
      for (const column of columns.filter(({ numbered }) => numbered !== undefined)) {
        const most = `SELECT max(${quoted(column.name)}) FROM ${this.table(name)}`;
        await this.client.query(
          `SELECT setval(pg_get_serial_sequence($1, $2), (${most})) WHERE (${most}) IS NOT NULL`,
          [this.table(name), column.name],
        );
      }
    }
  }

  async tables(): Promise<string[]> {
    return (await tablesIn(this.client, this.name)).filter((table) => table !== 'migrations');
  }

  table(name: string): string {
    return `${this.name}.${quoted(name)}`;
  }

  async add(rows: AsyncIterable<BackupRow>): Promise<void> {
    let batch: string[] = [];
    let characters = 0;
    let last = '';
    const send = async (): Promise<void> => {
      const sql = `INSERT INTO ${last} SELECT * FROM json_populate_recordset(NULL::${last}, $1::json)`;
      if (batch.length > 0) await this.client.query(sql, [`[${batch.join(',')}]`]);
      batch = [];
      characters = 0;
    };
    for await (const { table, row } of rows) {
      const name = this.table(table);
      if (name !== last || batch.length === MAX_BATCH || characters > MAX_BATCH_CHARACTERS) await send();
      last = name;
      batch.push(row);
      characters += row.length;
    }
    await send();
  }

  /** Swaps the tables. @returns the schema of the former tables; undefined if there were none. */
  async swapTables(): Promise<string | undefined> {
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
