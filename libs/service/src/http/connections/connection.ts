import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { closeGently } from './lingering-close.js';
import { MAX_REQUESTS_UNDER_WAY } from '../limits.js';
import { type ReceivedRequest, VERDICT } from '../received-request.js';

/** Takes a request whose turn on its connection has come. */
export interface Taker {
  enter(message: ReceivedRequest, response: ServerResponse): void;
}

interface Turn {
  readonly message: ReceivedRequest;
  readonly response: ServerResponse;
  readonly taker: Taker;
}

const bySocket = new WeakMap<Socket, Connection>();

/** The connection that speaks HTTP over a socket; undefined for one that no server of ours has accepted. */
export function connectionOf(socket: Socket): Connection | undefined {
  return bySocket.get(socket);
}

/**
 * One connection, from its acceptance to its end. Nothing is begun behind a response that ends it: no client would learn what
 * was done, and the client may do it again elsewhere. RFC 9112 §9.6
 */
export class Connection {
  /** What speaks HTTP on it; undefined until a TLS handshake is over. */
  socket: Socket | undefined;
  /** The last request that has come on it. */
  latest: IncomingMessage | undefined;
  /** Until it has ended, or has been given up. */
  isOpen = true;
  /** Among those on which no request has been completed as yet. */
  isSilent = false;
  /** When its last response was over. */
  idleSinceMs = 0;
  /** The responses of all requests that have come, and are not over. */
  private readonly due: ServerResponse[] = [];
  /** The last of these requests, where they have not begun. */
  private readonly held: Turn[] = [];
  /** The last response that was begun. */
  private newest: ServerResponse | undefined;
  /** Whether nothing is begun behind the newest: it ends the connection, or that is not known as yet. */
  private isClosed = false;
  private isStopping = false;
  /** Bytes of responses that the operating system had taken, and when it took the last of them or had all. */
  private taken = 0;
  private takenAtMs = performance.now();

  /**
   * @param tcp carries it.
   * @param address of the client, as far as TCP tells.
   * @param isBeyond whether it was one more than the service wants.
   * @param onUnusual called with the requests of one that is silent or beyond, before they begin.
   */
  constructor(
    readonly tcp: Socket,
    readonly address: string,
    readonly isBeyond: boolean,
    private readonly onUnusual: (message: ReceivedRequest, response: ServerResponse) => void,
  ) {}

  /** Whether nothing is asked on it at the moment, and something was before. */
  get isIdle(): boolean {
    return this.due.length === 0 && this.isOpen && !this.isSilent;
  }

  /** The response that its client waits for; undefined where it waits for none. */
  get dueResponse(): ServerResponse | undefined {
    return this.due.find(({ writableFinished }) => !writableFinished);
  }

  /** Whether what comes next is still part of a body. */
  get isInsideBody(): boolean {
    return this.latest?.complete === false;
  }

  /** Becomes what speaks HTTP. */
  speakOver(socket: Socket): void {
    this.socket = socket;
    bySocket.set(socket, this);
    // Node itself begins to read again after each message.
    socket.on('resume', () => {
      if (this.held.length > 0) socket.pause();
    });
    // Node ends with it a connection whose response is its last one.
    socket.destroySoon = () => {
      // The prototype's own method again.
      delete (socket as Partial<Socket>).destroySoon;
      if (this.isInsideBody) closeGently(socket);
      else socket.destroySoon();
    };
  }

  /** Begins a request when fewer than the limit are under way; until then nothing more is read. RFC 9112 §9.3.2 */
  enter(message: ReceivedRequest, response: ServerResponse, taker: Taker): void {
    if (this.isSilent || this.isBeyond) this.onUnusual(message, response);
    this.latest = message;
    this.due.push(response);
    response.on('close', () => {
      this.leave(response);
    });
    const turn = { message, response, taker };
    if (this.held.length === 0 && this.due.length <= MAX_REQUESTS_UNDER_WAY && !this.isClosed && !this.isStopping) {
      this.start(turn);
      return;
    }
    this.held.push(turn);
    this.socket?.pause();
    // What came with it is there by then: it is answered too.
    if (this.isStopping) this.beginNextSoon();
  }

  /** From here on it ends with the first answer behind which no request waits. */
  stop(): void {
    this.isStopping = true;
    if (this.due.length > 0 && this.held.length === 0) this.endWithNewest();
  }

  /**
   * Ends it where its client asks and does not read. Reading slowly is no fault: any piece that leaves counts, and a long
   * response is written in pieces. @param limitMs how long nothing may leave while something waits.
   */
  cutUnread(nowMs: number, limitMs: number): void {
    const { writableLength, bytesWritten } = this.socket ?? this.tcp;
    const taken = bytesWritten - writableLength;
    if (writableLength === 0 || taken !== this.taken) {
      this.taken = taken;
      this.takenAtMs = nowMs;
    }
    // A client that does not read gets no response. The reset also drops what waits in the operating system.
    else if (nowMs - this.takenAtMs >= limitMs) this.tcp.resetAndDestroy();
  }

  private start({ message, response, taker }: Turn): void {
    this.newest = response;
    this.isClosed = this.isBeyond || message[VERDICT]?.endsConnection !== 'no';
    if (this.isStopping && this.held.length === 0) this.endWithNewest();
    taker.enter(message, response);
  }

  /** A request has been answered, or given up. */
  private leave(response: ServerResponse): void {
    this.due.splice(this.due.indexOf(response), 1);
    if (this.due.length === this.held.length) this.isClosed = this.socket?.writable !== true;
    if (this.held.length > 0) this.beginNextSoon();
    else if (this.due.length === 0) this.idleSinceMs = performance.now();
  }

  /** One that has said otherwise is no longer asked: the connection is idle after it. */
  private endWithNewest(): void {
    if (this.newest === undefined || this.newest.headersSent) return;
    this.newest.shouldKeepAlive = false;
    this.isClosed = true;
  }

  /** Not at once: a client that sends a thousand requests in a row must not keep the others waiting. */
  private beginNextSoon(): void {
    setImmediate(() => {
      this.beginNext();
    });
  }

  private beginNext(): void {
    const { socket } = this;
    const underWay = this.due.length - this.held.length;
    if (underWay >= MAX_REQUESTS_UNDER_WAY || this.isClosed || socket?.writable !== true) return;
    const turn = this.held.shift();
    if (turn === undefined) return;
    this.start(turn);
    if (this.held.length > 0) this.beginNextSoon();
    // Where Node has stopped reading until responses have left, it stops again.
    else socket.resume();
  }
}
