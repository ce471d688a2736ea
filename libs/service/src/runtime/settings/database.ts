import { urlsOf } from '../../data/database/postgres-hosts.js';
import type { DatabaseConfig } from '../../data/database/database-options.js';

import { ConfigError } from './config-error.js';
import type { Variable } from './variable.js';

const POSTGRES = /^postgres(ql)?:\/\/./;

export interface OwnDatabase {
  /** File of SQLite, such as `./data/shop.sqlite`; `name` is a database of PostgreSQL. */
  readonly file: string;
  readonly name: string;
}

/** @param migrations URL for migrations, which bypasses a pooler; only for PostgreSQL. @throws {ConfigError} */
export function database(variable: Variable, migrations: Variable, own: OwnDatabase): DatabaseConfig {
  const { name, value = `sqlite:${own.file}` } = variable;
  if (POSTGRES.test(value)) {
    const url = postgres(variable, own);
    return {
      dialect: 'postgres',
      url,
      ...(migrations.value !== undefined && { migrationUrl: postgres(migrations, own) }),
    };
  }
  if (migrations.value !== undefined)
    throw new ConfigError(migrations.name, `is only for PostgreSQL, and ${name} is not`, '""');
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1];
  // An in-memory database is private to its connection, but reads use a second one.
  if (file === undefined || file.includes(':memory:')) {
    throw new ConfigError(name, 'must be sqlite:<file> or postgres://<…>', `sqlite:${own.file}`);
  }
  return { dialect: 'sqlite', file };
}

/**
 * Accepts several hosts. `target_session_attrs` may only require a writable session, which the service needs anyway.
 */
function postgres({ name, value = '' }: Variable, own: OwnDatabase): string {
  const urls = POSTGRES.test(value) ? urlsOf(value) : [];
  if (urls.length === 0 || !urls.every((one) => URL.canParse(one)))
    throw new ConfigError(name, 'is not a valid URL of PostgreSQL', `postgres://user:password@host:5432/${own.name}`);
  const wanted = /[?&]target_session_attrs=([^&#]*)/.exec(value)?.[1] ?? 'read-write';
  if (!['read-write', 'primary', 'any'].includes(wanted))
    throw new ConfigError(
      name,
      'must have target_session_attrs=read-write, because the service writes',
      `postgres://user:password@host1,host2/${own.name}?target_session_attrs=read-write`,
    );
  return value;
}

export function standbys(
  variable: Variable,
  { dialect }: DatabaseConfig,
  { name: example }: OwnDatabase,
): string | undefined {
  const { name, value } = variable;
  if (value === undefined) return undefined;
  if (dialect !== 'postgres') throw new ConfigError(name, 'is only for PostgreSQL, and DATABASE_URL is not', '""');
  if (POSTGRES.test(value) && urlsOf(value).every((url) => URL.canParse(url))) return value;
  throw new ConfigError(name, 'is not a valid URL of PostgreSQL', `postgres://user:password@standby:5432/${example}`);
}
