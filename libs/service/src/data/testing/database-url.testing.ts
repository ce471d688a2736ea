import type { DatabaseConfig } from '../database/database-options.js';

/**
 * @param url `sqlite:<file>` or `postgres://user:password@host:5432/name`.
 * @throws {TypeError} Any other form.
 */
export function databaseAt(url: string): DatabaseConfig {
  if (/^postgres(ql)?:\/\/./.test(url)) return { dialect: 'postgres', url };
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : '';
  // A database in memory belongs to one connection, but the service has several.
  if (file === '' || file.includes(':memory:')) {
    throw new TypeError('A database is sqlite:<file> or postgres://user:password@host:5432/name.');
  }
  return { dialect: 'sqlite', file };
}
