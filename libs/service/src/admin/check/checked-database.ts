import type { DatabaseSchema } from '../../data/database/database-options.js';
import type { Config } from '../../runtime/config/config.js';
import { withPostgres } from '../session/postgres-session.js';
import { withSqlite } from '../session/sqlite-session.js';

export type CheckedRow = Readonly<Record<string, string | number | null>>;

/** Reads the database for checks. PostgreSQL returns numbers as text. */
export interface CheckedDatabase {
  readonly config: Config;
  readonly schema: DatabaseSchema;
  readonly nowMs: number;
  readonly settings: readonly { readonly name: string; readonly value: string }[];
  readonly query: (sql: string) => Promise<readonly CheckedRow[]>;
}

/** Opens the database without running migrations. @throws {Error} the database cannot be read. */
export async function withCheckedDatabase<T>(
  config: Config,
  schema: DatabaseSchema,
  work: (database: CheckedDatabase) => Promise<T>,
): Promise<T> {
  const { database } = config;
  const checked = async (query: CheckedDatabase['query']): Promise<T> => {
    const rows = await query('SELECT name, value FROM settings');
    const settings = rows.map(({ name, value }) => ({ name: String(name), value: String(value) }));
    return work({ config, schema, nowMs: Date.now(), settings, query });
  };
  if (database.dialect === 'postgres')
    return withPostgres(database.url, (client) => checked(async (sql) => (await client.query<CheckedRow>(sql)).rows));
  return withSqlite(database.file, { readonly: true }, (sqlite) =>
    checked((sql) => Promise.resolve(sqlite.prepare<[], CheckedRow>(sql).all())),
  );
}
