import type { LoggerService } from '@nestjs/common';

import type { Log } from './log.js';

/** Lets Nest's own messages go the way of all others; what it says about an ordinary start is for debugging. */
export class NestLog implements LoggerService {
  constructor(private readonly sink: Log) {}

  log(message: unknown, context?: unknown): void {
    this.sink.debug({ context }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.sink.warn({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    // What ends the start is printed where the start ends.
    if (rest.at(-1) === 'ExceptionHandler') return;
    const err = message instanceof Error ? message : undefined;
    this.sink.error({ err, details: rest }, String(message));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.sink.fatal({ details: rest }, String(message));
  }
}
