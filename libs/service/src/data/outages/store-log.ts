/** What the store says to those who operate the service: a line with fields; pino's log is one. */
export interface StoreLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Logs nothing. */
export const NO_LOG: StoreLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
