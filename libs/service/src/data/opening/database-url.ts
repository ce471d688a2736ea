import type { DatabaseConfig } from '../database/database-options.js';

/**
 * A database by its URL.
 * @param url `sqlite:<file>` or `postgres://user:password@host:5432/name`.
 * @throws {TypeError} it is neither.
 */
export function databaseAt(url: string): DatabaseConfig {
  if (/^postgres(ql)?:\/\/./.test(url)) return { dialect: 'postgres', url };
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : '';
  // One in memory is private to its connection, and reads have a connection of their own.
  if (file === '' || file.includes(':memory:')) {
    throw new TypeError('A database is sqlite:<file> or postgres://user:password@host:5432/name.');
  }
  return { dialect: 'sqlite', file };
}
