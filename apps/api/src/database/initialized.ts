import type { DataSource } from 'typeorm';

import { ConfigError } from '../config/config.js';

/** Opens the connection. @throws {ConfigError} where there is no such database, or it cannot be used. */
export async function initialized(source: DataSource): Promise<DataSource> {
  try {
    return await source.initialize();
  } catch (error) {
    const problem = `names a database that cannot be opened (${reasonOf(error)})`;
    throw new ConfigError('DATABASE_URL', problem, 'sqlite:data/items.sqlite');
  }
}

/** A host with several addresses fails with one error for each, and no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
