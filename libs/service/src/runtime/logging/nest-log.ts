import type { LoggerService } from '@nestjs/common';

import type { Log } from './log.js';
import { withoutCredentials } from './without-credentials.js';

const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'x-api-key'];

/** Messages of an ordinary start of Nest have level debug. */
export class NestLog implements LoggerService {
  private readonly redacted: ReadonlySet<string>;

  /** @param ownHeaders headers that carry a credential, besides the usual ones. */
  constructor(
    private readonly sink: Log,
    ownHeaders: readonly string[] = [],
  ) {
    this.redacted = new Set([...CREDENTIAL_HEADERS, ...ownHeaders.map((header) => header.toLowerCase())]);
  }

  log(message: unknown, context?: unknown): void {
    this.sink.debug({ context }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.sink.warn({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    // `failStart` prints errors that end the start.
    if (rest.at(-1) === 'ExceptionHandler') return;
    const err = message instanceof Error ? message : undefined;
    this.sink.error({ err, details: this.withoutCredentials(rest) }, String(message));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.sink.fatal({ details: this.withoutCredentials(rest) }, String(message));
  }

  private withoutCredentials(details: unknown): unknown {
    return withoutCredentials(details, this.redacted);
  }
}
