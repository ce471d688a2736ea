import { urlsOf } from '../../data/database/postgres-hosts.js';
import type { DatabaseConfig } from '../../data/database/database-options.js';

import { ConfigError } from './config-error.js';
import type { Variable } from './variable.js';

const POSTGRES = /^postgres(ql)?:\/\/./;

const FILE = './data/items.sqlite';

/** @param migrations URL that bypasses a pooler for migrations; only for PostgreSQL. @throws {ConfigError} */
export function databaseConfig(variable: Variable, migrations: Variable): DatabaseConfig {
  const { name, value = `sqlite:${FILE}` } = variable;
  if (POSTGRES.test(value)) {
    const url = postgres(variable);
    return {
      dialect: 'postgres',
      url,
      ...(migrations.value !== undefined && { migrationUrl: postgres(migrations) }),
    };
  }
  if (migrations.value !== undefined)
    throw new ConfigError(migrations.name, `is only for PostgreSQL, and ${name} is not`, '""');
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1];
  // An in-memory database is private to its connection, but reads use a second connection.
  if (file === undefined || file.includes(':memory:')) {
    throw new ConfigError(name, 'must be sqlite:<file> or postgres://<…>', `sqlite:${FILE}`);
  }
  return { dialect: 'sqlite', file };
}

/** Accepts several hosts. `target_session_attrs` must not select a standby, because the service writes. */
function postgres({ name, value = '' }: Variable): string {
  const urls = POSTGRES.test(value) ? urlsOf(value) : [];
  if (urls.length === 0 || !urls.every((one) => URL.canParse(one)))
    throw new ConfigError(name, 'is not a valid URL of PostgreSQL', 'postgres://user:password@host:5432/items');
  const wanted = /[?&]target_session_attrs=([^&#]*)/.exec(value)?.[1] ?? 'read-write';
  if (!['read-write', 'primary', 'any'].includes(wanted))
    throw new ConfigError(
      name,
      'must have target_session_attrs=read-write, because the service writes',
      'postgres://user:password@host1,host2/items?target_session_attrs=read-write',
    );
  return value;
}

export function standbys({ name, value }: Variable, { dialect }: DatabaseConfig): string | undefined {
  if (value === undefined) return undefined;
  if (dialect !== 'postgres') throw new ConfigError(name, 'is only for PostgreSQL, and DATABASE_URL is not', '""');
  if (POSTGRES.test(value) && urlsOf(value).every((url) => URL.canParse(url))) return value;
  throw new ConfigError(name, 'is not a valid URL of PostgreSQL', 'postgres://user:password@standby:5432/items');
}
