import { join } from 'node:path';

import { startApp, type RunningApp } from '@items/testing';

const MAIN = join(__dirname, '../../bookshop/dist/main.js');

/**
 * Starts a service without items: a unique field, references, enumerations, booleans, times, and collections below
 * users and authors.
 */
export function startBookshop(env: Readonly<Record<string, string>> = {}): Promise<RunningApp> {
  return startApp({ database: 'sqlite', main: MAIN, env });
}
