export interface StoreLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const NO_LOG: StoreLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
