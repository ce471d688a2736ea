import type { Database, SqlValue } from '@items/store';
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
  const query = async (sql: string, params?: readonly SqlValue[]): Promise<unknown> => {
    const rows = await database.query(sql, params);
    await letOthersCommit();
    return rows;
  };
  return withMethod(withMethod(database, 'query', query), 'read', query);
}

/** A database of which one method is another. */
export function withMethod(database: Database, name: 'query' | 'read' | 'transaction', method: unknown): Database {
  return new Proxy(database, {
    get: (target, property) => {
      const value: unknown = property === name ? method : Reflect.get(target, property);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
