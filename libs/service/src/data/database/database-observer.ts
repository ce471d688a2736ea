/** Hears what a database does, in the asynchronous context of the caller that it is done for. */
export interface DatabaseObserver {
  /** Also of the statements that begin and end transactions, which on SQLite belong to several callers. */
  readonly onStatement: (sql: string, beganAtMs: number) => void;
  /** A caller's transaction is committed, or is not. @param beganAtMs of the commit, on the clock of `performance`. */
  readonly onCommit: (beganAtMs: number) => void;
  /** The work with the asynchronous context of now: transactions of SQLite run in groups, in no caller's context. */
  bind<Work extends (...args: never[]) => unknown>(work: Work): Work;
}
