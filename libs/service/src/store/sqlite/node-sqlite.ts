import type * as NodeSqlite from 'node:sqlite';

let loaded: typeof NodeSqlite | undefined;

/**
 * Node's own SQLite. Node 22 warns, at the first use in a process, that it is experimental. What we use of it is the same
 * in Node 22.16 and 24, and our tests run on both, so the operator does not get the warning (ADR 75).
 * @throws {Error} where this Node has none.
 */
export function nodeSqlite(): typeof NodeSqlite {
  return (loaded ??= withoutWarnings(load));
}

function load(): typeof NodeSqlite {
  try {
    return process.getBuiltinModule('node:sqlite');
  } catch (error) {
    throw new Error(`SQLite needs Node 22.16 or newer; this is Node ${process.versions.node}.`, { cause: error });
  }
}

function withoutWarnings<T>(work: () => T): T {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
