import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { MAX_REQUESTS_UNDER_WAY } from './limits.js';

/** A request that begins when its turn on its connection has come. */
export interface Turn {
  readonly response: ServerResponse;
  /** Whether its answer may end the connection: what is behind it begins only when that is known. */
  readonly mayEnd: boolean;
  readonly begin: () => void;
}

/**
 * One connection, from its acceptance to its end. Nothing is begun behind an answer that ends it: nobody would hear of what
 * was done, and the client may do it again elsewhere. RFC 9112 §9.6
 */
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
  private readonly held: Turn[] = [];
  /** The last answer that was begun. */
  private newest: ServerResponse | undefined;
  /** Whether nothing is begun behind the newest: it ends the connection, or that is not known as yet. */
  private isClosed = false;
  private isStopping = false;

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
  enter(turn: Turn): void {
    if (this.held.length === 0 && this.hasRoom && !this.isStopping) {
      this.start(turn);
      return;
    }
    this.held.push(turn);
    this.socket?.pause();
    // What came with it is there by then: it is answered too.
    if (this.isStopping) this.beginNextSoon();
  }

  /** A request that was under way has been answered, or given up. */
  leave(): void {
    this.underWay -= 1;
    if (this.underWay === 0) this.isClosed = this.socket?.writable !== true;
    this.beginNextSoon();
    this.onLeft();
  }

  /** From here on it ends with the first answer behind which no request waits. */
  stop(): void {
    this.isStopping = true;
    if (this.underWay > 0 && this.held.length === 0) this.endWithNewest();
  }

  private get hasRoom(): boolean {
    return this.underWay < MAX_REQUESTS_UNDER_WAY && !this.isClosed;
  }

  private start({ response, mayEnd, begin }: Turn): void {
    this.underWay += 1;
    this.newest = response;
    this.isClosed = mayEnd;
    if (this.isStopping && this.held.length === 0) this.endWithNewest();
    begin();
  }

  /** One that has said otherwise is no longer asked: the connection is idle after it. */
  private endWithNewest(): void {
    if (this.newest === undefined || this.newest.headersSent) return;
    this.newest.shouldKeepAlive = false;
    this.isClosed = true;
  }

  /** Not at once: a client that sends a thousand requests in a row must not keep the others waiting. */
  private beginNextSoon(): void {
    if (this.held.length > 0) setImmediate(() => this.beginNext());
  }

  private beginNext(): void {
    const { socket } = this;
    if (!this.hasRoom || socket?.writable !== true) return;
    const turn = this.held.shift();
    if (turn === undefined) return;
    this.start(turn);
    if (this.held.length > 0) this.beginNextSoon();
    // Where Node has stopped reading until responses have left, it stops again.
    else socket.resume();
  }
}
