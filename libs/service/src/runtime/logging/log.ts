import { hostname } from 'node:os';

import { type DestinationStream, type Logger, pino } from 'pino';

import type { LogLevel } from '../config/config.js';

/** Writes JSON lines, which contain no header, body or query. */
export type Log = Logger;

export const LOG = Symbol('LOG');

/** Size and age at which buffered lines are written. The rest is written when the process ends. */
const BUFFER_BYTES = 65_536;
const MAX_WAIT_MS = 200;

/** pino's destination in buffer mode. The types of pino lack this mode. */
interface BufferDestination {
  write(bytes: Buffer): unknown;
  flushSync(): void;
}

export type MoreFields = () => object | undefined;

export function stdoutLog(level: LogLevel, moreFields?: MoreFields): Log {
  stdoutLines ??= openStdout();
  return logTo(stdoutLines, level, moreFields);
}

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
 * Returns a fast writer that bypasses pino. It takes further members, which begin with a comma, and prepends
 * `{"level":"info","time":"…","instance":"…"`.
 */
export function infoLines(log: Log): (members: string) => void {
  const write = lineWriters.get(log);
  if (write === undefined) throw new Error('infoLines() needs a log of logTo().');
  return write;
}

/** Each line has its level as a word, its time in RFC 3339, and the name of its process. */
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
    if (nowMs !== headMs) {
      headMs = nowMs;
      head = `{"level":"info","time":"${new Date(nowMs).toISOString()}",${instance}`;
    }
    stream.write(head + members);
  });
  return log;
}

export function instanceName(): string {
  return `${hostname()}:${String(process.pid)}`;
}

/** Additional room for a line of usual length. */
const SLACK = 16_384;
/** Maximum bytes of a UTF-16 code unit in UTF-8. */
const MOST_BYTES = 3;

/**
 * Buffers log lines to save system calls. Each line is encoded into the buffer immediately: joined strings would need a
 * second pass for the encoding. ADR 44
 */
export class LineBuffer {
  private held: Buffer;
  private size = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param pass receives buffered lines in UTF-8, and owns the buffer.
   * @param length number of bytes that triggers a write.
   * @param maxWaitMs the timer does not keep the process alive, so call `flush` when the process ends.
   */
  constructor(
    private readonly pass: (lines: Buffer) => void,
    private readonly length: number,
    private readonly maxWaitMs: number,
  ) {
    this.held = this.room();
  }

  write(line: string): void {
    const most = MOST_BYTES * line.length;
    if (most > this.held.length - this.size) this.flush();
    if (most > this.held.length) {
      this.pass(Buffer.from(line));
      return;
    }
    if (this.size === 0) this.timer = setTimeout(() => this.flush(), this.maxWaitMs).unref();
    this.size += this.held.write(line, this.size);
    if (this.size >= this.length) this.flush();
  }

  flush(): void {
    if (this.size === 0) return;
    clearTimeout(this.timer);
    const lines = this.held.subarray(0, this.size);
    this.held = this.room();
    this.size = 0;
    this.pass(lines);
  }

  private room(): Buffer {
    return Buffer.allocUnsafeSlow(this.length + SLACK);
  }
}
