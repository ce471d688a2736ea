import { connect, type Socket } from 'node:net';

import type { Answer } from './answer.js';
import { parseAnswers } from './parse-answers.js';

export interface RawConnectionOptions {
  readonly host?: string;
  readonly localAddress?: string;
  /** The responses are to HEAD: they have no body, whatever their `Content-Length`. */
  readonly bodiless?: boolean;
}

/** A TCP connection that sends any bytes and reads HTTP responses: for requests that no HTTP client would send. */
export class RawConnection {
  /** Milliseconds of `performance.now()`, as for `closedAt`. */
  readonly openedAt = performance.now();
  /** Undefined while the connection is open. */
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
    // A reset also closes; the bytes received before it count.
    socket.on('error', () => undefined);
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.closedAt ??= performance.now();
        this.wake();
      });
    }
  }

  /** @throws {Error} nothing listens on the port. */
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

  get bytes(): Buffer {
    return this.received;
  }

  get isClosed(): boolean {
    return this.closedAt !== undefined;
  }

  /** On a connection that the service has closed, the bytes are lost. @param bytes text is UTF-8. */
  send(bytes: string | Uint8Array): void {
    if (!this.socket.destroyed) this.socket.write(bytes);
  }

  /** Ends our side, and stays open for the response. */
  end(): void {
    this.socket.end();
  }

  /** Closes immediately, even during an exchange. */
  destroy(): void {
    this.socket.destroy();
  }

  /**
   * Returns the next response, also an interim one (1xx); undefined if the service closes the connection without one.
   * @throws {Error} neither comes in time, or the bytes are not HTTP.
   */
  async nextAnswer(timeoutMs = 10_000): Promise<Answer | undefined> {
    await this.until(() => this.answers().length > this.taken || this.isClosed, timeoutMs, 'an answer');
    const answer = this.answers()[this.taken];
    if (answer !== undefined) this.taken += 1;
    return answer;
  }

  /** Returns the milliseconds from opening to closing by the service. @throws {Error} it stays open for too long. */
  async closed(timeoutMs: number): Promise<number> {
    await this.until(() => this.isClosed, timeoutMs, 'the end of the connection');
    return (this.closedAt ?? Number.NaN) - this.openedAt;
  }

  /** Returns all complete responses so far. @throws {Error} the bytes are not HTTP. */
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

  /** Waits until bytes arrive or the connection ends, up to a time limit. */
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
