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

/** How the lines of a log begin, and where they go, for who writes them without pino's help. */
export interface LineSink {
  /** Up to the members of its own: `{"level":"info","time":"…","instance":"…"`. */
  head(): string;
  write(line: string): void;
}

const sinks = new WeakMap<Log, LineSink>();

/** Of a log of {@link logTo}; undefined where it writes no such lines. */
export function infoSink(log: Log): LineSink | undefined {
  return log.isLevelEnabled('info') ? sinks.get(log) : undefined;
}

/** A log on any stream; each line with its level in words, its time in RFC 3339, and the process that wrote it. */
export function logTo(stream: DestinationStream, level: LogLevel = 'info', moreFields?: MoreFields): Log {
  const base = { instance: instanceName() };
  const log = pino(
    {
      level,
      base,
      timestamp: () => `,"time":"${now()}"`,
      formatters: { level: (level) => ({ level }) },
      ...(moreFields && { mixin: () => moreFields() ?? {} }),
    },
    stream,
  );
  const instance = JSON.stringify(base).slice(1, -1);
  let head = { time: '', text: '' };
  sinks.set(log, {
    head: () => {
      const time = now();
      if (time !== head.time) head = { time, text: `{"level":"info","time":"${time}",${instance}` };
      return head.text;
    },
    write: (line) => {
      stream.write(line);
    },
  });
  return log;
}

/** This process among those that serve: its machine and its number there. */
export function instanceName(): string {
  return `${hostname()}:${String(process.pid)}`;
}

let lastMs = 0;
let lastTime = '';

/** RFC 3339 in UTC: a busy service writes many lines a millisecond. */
function now(): string {
  const ms = Date.now();
  if (ms !== lastMs) {
    lastMs = ms;
    lastTime = new Date(ms).toISOString();
  }
  return lastTime;
}
