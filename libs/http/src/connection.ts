import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import { MAX_REQUESTS_UNDER_WAY } from './limits.js';
import { isPausedByNode } from './node-internals.js';

/** One connection, from its acceptance to its end. */
export class Connection {
  /** What speaks HTTP on it; undefined until a TLS handshake is over. */
  socket: Socket | undefined;
  /** The last request that has begun on it. */
  latest: IncomingMessage | undefined;
  /** Until it has ended, or has been given up. */
  isOpen = true;
  /** Among those on which no request has been completed as yet. */
  isSilent = false;
  private underWay = 0;
  private readonly held: (() => void)[] = [];

  /**
   * @param tcp carries it.
   * @param address of the client, as far as TCP tells.
   * @param isBeyond whether it was one more than the service wants.
   * @param onLeft hears of each request that is over.
   */
  constructor(
    readonly tcp: Socket,
    readonly address: string,
    readonly isBeyond: boolean,
    private readonly onLeft: () => void,
  ) {}

  /** Whether an answer is due on it. */
  get isBusy(): boolean {
    return this.underWay > 0 || this.held.length > 0;
  }

  /** Becomes what speaks HTTP. */
  speakOver(socket: Socket): void {
    this.socket = socket;
    // Node itself begins to read again after each message.
    socket.on('resume', () => {
      if (this.held.length > 0) socket.pause();
    });
  }

  /** Begins a request when fewer than the limit are under way; until then nothing more is read. RFC 9112 §9.3.2 */
  enter(begin: () => void): void {
    if (this.underWay < MAX_REQUESTS_UNDER_WAY && this.held.length === 0) {
      this.underWay += 1;
      begin();
      return;
    }
    this.held.push(begin);
    this.socket?.pause();
  }

  /** A request that was under way has been answered, or given up. */
  leave(): void {
    this.underWay -= 1;
    // Not at once: a client that sends a thousand requests in a row must not keep the others waiting.
    if (this.held.length > 0) setImmediate(() => this.beginNext());
    this.onLeft();
  }

  private beginNext(): void {
    const { socket } = this;
    if (socket === undefined || socket.destroyed) return;
    const begin = this.held.shift();
    if (begin === undefined) return;
    this.underWay += 1;
    begin();
    if (this.held.length === 0 && !isPausedByNode(socket)) socket.resume();
  }
}
