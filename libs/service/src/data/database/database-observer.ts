/** All methods run in the async context of the caller of the database. Times are results of `performance.now()`. */
export interface DatabaseObserver {
  /** Also called for BEGIN and COMMIT. Several SQLite transactions share these. */
  readonly onStatement: (sql: string, beganAtMs: number) => void;
  readonly onCommit: (beganAtMs: number) => void;
  /** Binds a function to the current async context, because writes of several callers may run together. */
  bind<Work extends (...args: never[]) => unknown>(work: Work): Work;
}
