/** What a log must know to write how processes come and go; pino's logger is one. */
export interface ProcessLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  fatal(fields: object, message: string): void;
}
