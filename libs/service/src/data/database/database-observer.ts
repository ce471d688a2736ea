/** Methods run in the asynchronous context of the caller. */
export interface DatabaseObserver {
  /** Also for BEGIN and COMMIT, which several callers share on SQLite. */
  readonly onStatement: (sql: string, beganAtMs: number) => void;
  /**
   * After a commit succeeded or failed.
   * @param beganAtMs On the clock of `performance`.
   */
  readonly onCommit: (beganAtMs: number) => void;
  /** Binds work to the current asynchronous context, because SQLite runs transactions in groups. */
  bind<Work extends (...args: never[]) => unknown>(work: Work): Work;
}
