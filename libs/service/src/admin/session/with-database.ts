import type { Database } from '../../data/database/database.js';
import { openDatabase } from '../../data/opening/open-database.js';
import type { OperationContext } from '../operation.js';

/** Opens the database as the service does, and closes it after the work. */
export async function withDatabase<T>(
  context: Pick<OperationContext, 'database' | 'schema'>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(context.database, context.schema);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
