import type { Database, SqlValue } from '../database/database.js';
import { setImmediate as yieldToOthers } from 'node:timers/promises';

/**
 * SQLite answers at once, so that within one process nothing is ever committed between two statements of a request.
 * Several processes may share the file: this is where one of the others commits.
 */
export async function letOthersCommit(): Promise<void> {
  await yieldToOthers();
}

/** The same database, with time for others to commit after each statement. */
export function interleaved(database: Database): Database {
  const slowly =
    (read: 'query' | 'readValues') =>
    async (sql: string, params?: readonly SqlValue[]): Promise<unknown> => {
      const rows = await database[read](sql, params);
      await letOthersCommit();
      return rows;
    };
  return withMethods(database, { query: slowly('query'), read: slowly('query'), readValues: slowly('readValues') });
}

/** A database of which some methods are others. */
export function withMethods(
  database: Database,
  methods: Partial<
    Record<
      'query' | 'read' | 'readValues' | 'readSlowly' | 'transaction' | 'autocommit' | 'relaxedTransaction',
      unknown
    >
  >,
): Database {
  return new Proxy(database, {
    get: (target, property) => {
      const value: unknown = Reflect.get(Object.hasOwn(methods, property) ? methods : target, property);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
