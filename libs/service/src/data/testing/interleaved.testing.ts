import type { Database, SqlValue } from '../database/database.js';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/**
 * SQLite runs statements synchronously, so no other write of this process is committed between two statements of a
 * request. But several processes may share the file. This simulates a commit of another process.
 */
export async function letOthersCommit(): Promise<void> {
  await yieldToEventLoop();
}

/** Lets others commit after each statement. */
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

/** Replaces some methods of a database. */
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
