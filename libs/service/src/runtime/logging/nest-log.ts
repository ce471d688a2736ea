import type { LoggerService } from '@nestjs/common';
import type { Log } from './log.js';

const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'x-api-key'];

/** Logs the messages of Nest. Messages of an ordinary start have level debug. */
export class NestLog implements LoggerService {
  private readonly redacted: ReadonlySet<string>;

  /** @param ownHeaders further headers that carry a credential. */
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
    this.sink.error({ err, details: withoutCredentials(rest, this.redacted) }, String(message));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.sink.fatal({ details: withoutCredentials(rest, this.redacted) }, String(message));
  }
}

const REDACTED = '[redacted]';
const MAX_DEPTH = 4;

/**
 * Redacts these headers in logged values, such as those of `logger.error('…', request.headers)`.
 * @param headers names in lower case.
 */
function withoutCredentials(value: unknown, headers: ReadonlySet<string>, depth = MAX_DEPTH): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth === 0) return '[object]';
  if (Array.isArray(value)) return value.map((part) => withoutCredentials(part, headers, depth - 1));
  const copied = Object.entries(value).map(([name, part]) => [
    name,
    headers.has(name.toLowerCase()) ? REDACTED : withoutCredentials(part, headers, depth - 1),
  ]);
  return Object.fromEntries(copied);
}
