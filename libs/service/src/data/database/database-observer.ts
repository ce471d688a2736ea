/** Methods run in the asynchronous context of the caller. Times are on the clock of `performance`. */
export interface DatabaseObserver {
  /** Called also for BEGIN and COMMIT, which several callers share on SQLite. */
  readonly onStatement: (sql: string, beganAtMs: number) => void;
  readonly onCommit: (beganAtMs: number) => void;
  /** Binds work to the current asynchronous context, because SQLite runs transactions in groups. */
  bind<Work extends (...args: never[]) => unknown>(work: Work): Work;
}
