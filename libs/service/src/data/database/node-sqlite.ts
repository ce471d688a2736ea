import type * as NodeSqlite from 'node:sqlite';

export class OldNodeError extends Error {
  constructor() {
    super(`@items/service needs Node 22.16 or newer; this is ${process.versions.node}.`);
    this.name = 'OldNodeError';
  }
}

let loaded: typeof NodeSqlite | undefined;

/** Loads `node:sqlite` without the warning of Node 22 that it is experimental. ADR 1 */
export function nodeSqlite(): typeof NodeSqlite {
  if (loaded !== undefined) return loaded;
  // `getBuiltinModule` is undefined before Node 20.16. Later versions of Node 20 lack only the module.
  const { getBuiltinModule } = process as Partial<NodeJS.Process>;
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    loaded = getBuiltinModule?.('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
  if (loaded === undefined) throw new OldNodeError();
  return loaded;
}
