import { connect, type Socket } from 'node:net';

import type { Answer } from './answer.js';
import { parseAnswers } from './parse-answers.js';

/** How a raw connection is opened and read. */
export interface RawConnectionOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Local address to connect from. */
  readonly localAddress?: string;
  /** Whether the answers are to HEAD: without a body, whatever their `Content-Length` says. */
  readonly bodiless?: boolean;
}

/** A TCP connection that sends any bytes and reads HTTP answers: for what no HTTP client would send. */
export class RawConnection {
  /** When the connection was opened: milliseconds of `performance.now()`. */
  readonly openedAt = performance.now();
  /** When the service closed the connection; undefined while it is open. */
  closedAt: number | undefined;
  private received: Buffer = Buffer.alloc(0);
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  private constructor(
    private readonly socket: Socket,
    private readonly bodiless: boolean,
  ) {
    socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
    // A reset is one more way to be closed; what was received before it counts.
    socket.on('error', () => undefined);
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.closedAt ??= performance.now();
        this.wake();
      });
    }
  }

  /** @throws {Error} where nothing listens. */
  static open(port: number, options: RawConnectionOptions = {}): Promise<RawConnection> {
    const { host = '127.0.0.1', localAddress, bodiless = false } = options;
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host, noDelay: true, ...(localAddress === undefined ? {} : { localAddress }) });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new RawConnection(socket, bodiless));
      });
    });
  }

  /** Everything received so far. */
  get bytes(): Buffer {
    return this.received;
  }

  get isClosed(): boolean {
    return this.closedAt !== undefined;
  }

  /** Writes the bytes; on a connection that the service has closed they are lost. @param bytes text is UTF-8. */
  send(bytes: string | Uint8Array): void {
    if (!this.socket.destroyed) this.socket.write(bytes);
  }

  /** Says that no more bytes will come, and stays open for the answer. */
  end(): void {
    this.socket.end();
  }

  /** Closes at once, whatever is under way. */
  destroy(): void {
    this.socket.destroy();
  }

  /**
   * The next answer, interim ones (1xx) included; undefined where the service closes the connection without one.
   * @throws {Error} where neither comes in time, or what comes is not HTTP.
   */
  async nextAnswer(timeoutMs = 10_000): Promise<Answer | undefined> {
    await this.until(() => this.answers().length > this.taken || this.isClosed, timeoutMs, 'an answer');
    const answer = this.answers()[this.taken];
    if (answer !== undefined) this.taken += 1;
    return answer;
  }

  /** Milliseconds from opening to closing by the service. @throws {Error} where it stays open for too long. */
  async closed(timeoutMs: number): Promise<number> {
    await this.until(() => this.isClosed, timeoutMs, 'the end of the connection');
    return (this.closedAt ?? Number.NaN) - this.openedAt;
  }

  /** All complete answers so far. @throws {Error} where the bytes are not HTTP. */
  answers(): Answer[] {
    return parseAnswers(this.received, this.bodiless, this.isClosed);
  }

  private async until(holds: () => boolean, timeoutMs: number, what: string): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!holds()) {
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`Waited ${String(timeoutMs)} ms in vain for ${what}`);
      await this.news(left);
    }
  }

  /** Until something arrives or ends, at most so long. */
  private news(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private wake(): void {
    for (const proceed of this.waiting) proceed();
    this.waiting.clear();
  }
}
