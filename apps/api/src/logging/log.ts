import { hostname } from 'node:os';

import { type DestinationStream, type Logger, pino } from 'pino';

import type { LogLevel } from '../config/log-level.js';
import { LineBuffer } from './line-buffer.js';

/** The service's log: one JSON object a line. Never a header, a body or a query in it. */
export type Log = Logger;

/** Token under which Nest injects the {@link Log}. */
export const LOG = Symbol('LOG');

/** Lines wait for company up to so many characters, or so long; what waits is written when the process ends. */
const BUFFER_LENGTH = 65_536;
const MAX_WAIT_MS = 200;

/** A log on standard output that costs the requests no system call each. */
export function stdoutLog(level: LogLevel): Log {
  const stdout = pino.destination({ dest: 1, sync: false });
  const lines = new LineBuffer((text) => stdout.write(text), BUFFER_LENGTH, MAX_WAIT_MS);
  process.on('exit', () => {
    lines.flush();
    stdout.flushSync();
  });
  return logTo(lines, level);
}

/** A log on any stream; each line with its level in words, its time in RFC 3339, and the process that wrote it. */
export function logTo(stream: DestinationStream, level: LogLevel = 'info'): Log {
  const base = { instance: `${hostname()}:${String(process.pid)}` };
  return pino(
    { level, base, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } },
    stream,
  );
}
