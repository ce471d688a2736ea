import { ConfigError } from '../../runtime/settings/config-error.js';
import type { DatabaseNotOpenedError } from '../../data/database/initialized.js';

export function databaseConfigError({ message, isOfMigrations }: DatabaseNotOpenedError): ConfigError {
  const problem = `names a database that cannot be opened (${message})`;
  return isOfMigrations
    ? new ConfigError('MIGRATION_DATABASE_URL', problem, 'postgres://user:password@host:5432/items')
    : new ConfigError('DATABASE_URL', problem, 'sqlite:data/items.sqlite');
}
