import { createRequire } from 'node:module';

import type BetterSqlite3 from 'better-sqlite3';

/**
 * The package that fits this version of Node. better-sqlite3 13 stands on Node-API and does not load on Node 20.
 * better-sqlite3 12 does, but aborts the process on Node 24.19 and later as soon as a statement is garbage collected
 * outside of JavaScript (nodejs/node#65446).
 */
export const sqlitePackage =
  Number(process.versions.node.split('.')[0]) >= 22 ? 'better-sqlite3-node-api' : 'better-sqlite3';

/** Opens SQLite files: better-sqlite3, whose two versions have the same interface. */
export const Sqlite = createRequire(import.meta.url)(sqlitePackage) as typeof BetterSqlite3;
