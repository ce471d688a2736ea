import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { closeGently } from './lingering-close.js';
import { MAX_REQUESTS_UNDER_WAY } from '../limits.js';
import { type ReceivedRequest, HEAD_CHECK } from '../received-request.js';

/** Receives a request when its connection may start it. */
export interface Taker {
  enter(message: ReceivedRequest, response: ServerResponse): void;
}

interface Turn {
  readonly message: ReceivedRequest;
  readonly response: ServerResponse;
  readonly taker: Taker;
}

const bySocket = new WeakMap<Socket, Connection>();

/** Returns the connection of a socket; undefined if none of our servers accepted it. */
export function connectionOf(socket: Socket): Connection | undefined {
  return bySocket.get(socket);
}

/**
 * One connection, from acceptance to end. No request starts after a response that ends the connection: the client would
 * not learn its result and might repeat it elsewhere. RFC 9112 §9.6
 */
export class Connection {
  /** Socket that carries HTTP; undefined until the TLS handshake is complete. */
  socket: Socket | undefined;
  latest: IncomingMessage | undefined;
  isOpen = true;
  /** True until its first complete request. */
  isSilent = false;
  /** End of its last response. */
  idleSinceMs = 0;
  /** Responses to all received requests, until they are sent. */
  private readonly due: ServerResponse[] = [];
  /** The last of these requests, if they have not started. */
  private readonly held: Turn[] = [];
  private newest: ServerResponse | undefined;
  /** Whether no further request may start: the newest response ends the connection, or might. */
  private isClosed = false;
  private isStopping = false;
  /** Bytes of responses that the operating system has accepted, and when it last accepted some or had all. */
  private taken = 0;
  private takenAtMs = performance.now();

  /**
   * @param address of the client's end of the TCP connection.
   * @param isBeyond whether it exceeds the maximum number of connections.
   * @param onUnusual called before requests of a connection start that is silent or beyond the maximum.
   */
  constructor(
    readonly tcp: Socket,
    readonly address: string,
    readonly isBeyond: boolean,
    private readonly onUnusual: (message: ReceivedRequest, response: ServerResponse) => void,
  ) {}

  /** Whether no request is in progress and at least one was completed. */
  get isIdle(): boolean {
    return this.due.length === 0 && this.isOpen && !this.isSilent;
  }

  get dueResponse(): ServerResponse | undefined {
    return this.due.find(({ writableFinished }) => !writableFinished);
  }

  get isInsideBody(): boolean {
    return this.latest?.complete === false;
  }

  speakOver(socket: Socket): void {
    this.socket = socket;
    bySocket.set(socket, this);
    // Node resumes reading after each message.
    socket.on('resume', () => {
      if (this.held.length > 0) socket.pause();
    });
    // Node calls this to end a connection after its last response.
    socket.destroySoon = () => {
      delete (socket as Partial<Socket>).destroySoon;
      if (this.isInsideBody) closeGently(socket);
      else socket.destroySoon();
    };
  }

  /**
   * Starts a request if fewer than the maximum are in progress; else nothing more is read until one ends. RFC 9112
   * §9.3.2
   */
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
    // Requests that arrived together with it are parsed by then, and are served too.
    if (this.isStopping) this.beginNextSoon();
  }

  /** Ends the connection with the next response that has no request waiting behind it. */
  stop(): void {
    this.isStopping = true;
    if (this.due.length > 0 && this.held.length === 0) this.endWithNewest();
  }

  /**
   * Resets the connection if its client does not read. Slow reading is allowed: any bytes that leave count. @param
   * limitMs maximum time without progress while data waits.
   */
  cutUnread(nowMs: number, limitMs: number): void {
    const { writableLength, bytesWritten } = this.socket ?? this.tcp;
    const taken = bytesWritten - writableLength;
    if (writableLength === 0 || taken !== this.taken) {
      this.taken = taken;
      this.takenAtMs = nowMs;
    }
    // The client cannot get a response. The reset also drops the data in the operating system.
    else if (nowMs - this.takenAtMs >= limitMs) this.tcp.resetAndDestroy();
  }

  private start({ message, response, taker }: Turn): void {
    this.newest = response;
    this.isClosed = this.isBeyond || message[HEAD_CHECK]?.endsConnection !== 'no';
    if (this.isStopping && this.held.length === 0) this.endWithNewest();
    taker.enter(message, response);
  }

  private leave(response: ServerResponse): void {
    this.due.splice(this.due.indexOf(response), 1);
    if (this.due.length === this.held.length) this.isClosed = this.socket?.writable !== true;
    if (this.held.length > 0) this.beginNextSoon();
    else if (this.due.length === 0) this.idleSinceMs = performance.now();
  }

  /** A response whose headers are sent cannot announce the end: the connection becomes idle after it. */
  private endWithNewest(): void {
    if (this.newest === undefined || this.newest.headersSent) return;
    this.newest.shouldKeepAlive = false;
    this.isClosed = true;
  }

  /** Deferred, so that a client with a thousand pipelined requests does not block other clients. */
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
    // Node may have paused reading until responses are sent; then it pauses again.
    else socket.resume();
  }
}
