import type * as NodeSqlite from 'node:sqlite';

export class OldNodeError extends Error {
  constructor() {
    super(`@items/service needs Node 22.16 or newer; this is ${process.versions.node}.`);
    this.name = 'OldNodeError';
  }
}

let loaded: typeof NodeSqlite | undefined;

/** Suppresses the warning of Node 22 that `node:sqlite` is experimental. ADR 1 */
export function nodeSqlite(): typeof NodeSqlite {
  return (loaded ??= withoutWarnings(load));
}

function load(): typeof NodeSqlite {
  // Node 20 lacks the module, and versions before 20.16 lack the function.
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
