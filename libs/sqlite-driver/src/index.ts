export { Sqlite, type SqliteOptions } from './sqlite.js';
export { SqliteStatement, type RunResult } from './sqlite-statement.js';
