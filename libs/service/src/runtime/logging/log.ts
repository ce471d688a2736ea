import { hostname } from 'node:os';

import { type DestinationStream, type Logger, pino } from 'pino';

import type { LogLevel } from './log-level.js';
import { LineBuffer } from './line-buffer.js';

/** A service's log: one JSON object a line. Never a header, a body or a query in it. */
export type Log = Logger;

/** Token under which Nest injects the {@link Log}. */
export const LOG = Symbol('LOG');

/** Lines wait for company up to so many bytes, or so long; what waits is written when the process ends. */
const BUFFER_BYTES = 65_536;
const MAX_WAIT_MS = 200;

/** pino's in the mode for buffers, which its types do not know. */
interface BufferDestination {
  write(bytes: Buffer): unknown;
  flushSync(): void;
}

/** What lines say of what they are written in, as the trace of a request. */
export type MoreFields = () => object | undefined;

/** A log on standard output that costs the requests no system call each. */
export function stdoutLog(level: LogLevel, moreFields?: MoreFields): Log {
  stdoutLines ??= openStdout();
  return logTo(stdoutLines, level, moreFields);
}

/** One for all logs of the process, which is flushed at its end. */
let stdoutLines: LineBuffer | undefined;

function openStdout(): LineBuffer {
  const stdout = pino.destination({ dest: 1, sync: false, contentMode: 'buffer' }) as unknown as BufferDestination;
  const lines = new LineBuffer((bytes) => stdout.write(bytes), BUFFER_BYTES, MAX_WAIT_MS);
  process.on('exit', () => {
    lines.flush();
    stdout.flushSync();
  });
  return lines;
}

const lineWriters = new WeakMap<Log, (members: string) => void>();

/**
 * Writes lines of a log of {@link logTo} without pino's help. What it returns is given the members of a line, from the first
 * comma to its end, and begins the line itself: `{"level":"info","time":"…","instance":"…"`.
 */
export function infoLines(log: Log): (members: string) => void {
  const write = lineWriters.get(log);
  if (write === undefined) throw new Error('Only a log of logTo() has such lines.');
  return write;
}

/** A log on any stream; each line with its level in words, its time in RFC 3339, and the process that wrote it. */
export function logTo(stream: DestinationStream, level: LogLevel = 'info', moreFields?: MoreFields): Log {
  const base = { instance: instanceName() };
  const log = pino(
    {
      level,
      base,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      ...(moreFields && { mixin: () => moreFields() ?? {} }),
    },
    stream,
  );
  const instance = JSON.stringify(base).slice(1, -1);
  let [headMs, head] = [0, ''];
  lineWriters.set(log, (members) => {
    const nowMs = Date.now();
    // A busy service writes many lines a millisecond.
    if (nowMs !== headMs) {
      headMs = nowMs;
      head = `{"level":"info","time":"${new Date(nowMs).toISOString()}",${instance}`;
    }
    stream.write(head + members);
  });
  return log;
}

/** This process among those that serve: its machine and its number there. */
export function instanceName(): string {
  return `${hostname()}:${String(process.pid)}`;
}
