import type * as NodeSqlite from 'node:sqlite';

/** This Node has no SQLite. */
export class OldNodeError extends Error {
  constructor() {
    super(`@items/service needs Node 22.16 or newer; this is ${process.versions.node}.`);
    this.name = 'OldNodeError';
  }
}

let loaded: typeof NodeSqlite | undefined;

/**
 * Node's own SQLite. Node 22 warns, at the first use in a process, that it is experimental. What we use of it is the same
 * in Node 22.16 and 24, and our tests run on both, so the operator does not get the warning (ADR 75).
 * @throws {OldNodeError} where this Node has none.
 */
export function nodeSqlite(): typeof NodeSqlite {
  return (loaded ??= withoutWarnings(load));
}

function load(): typeof NodeSqlite {
  // Node 20 has no such module, and before 20.16 nothing to ask for it with.
  const { getBuiltinModule } = process as Partial<NodeJS.Process>;
  const found: typeof NodeSqlite | undefined = getBuiltinModule?.('node:sqlite');
  if (found === undefined) throw new OldNodeError();
  return found;
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
