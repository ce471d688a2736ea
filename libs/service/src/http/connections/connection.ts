import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { LINGER_MS, MAX_REQUESTS_IN_PROGRESS } from '../limits.js';
import { CLIENT_ADDRESS, type ReceivedRequest, HEAD_CHECK } from '../received-request.js';

export interface RequestSink {
  enter(message: ReceivedRequest, response: ServerResponse): void;
}

const bySocket = new WeakMap<Socket, Connection>();

/** @returns undefined for a socket of another server. */
export function connectionOf(socket: Socket): Connection | undefined {
  return bySocket.get(socket);
}

/** Returns the address behind trusted proxies, or else that of the connection. */
export function clientAddress(message: ReceivedRequest): string {
  return message[CLIENT_ADDRESS] ?? message.socket.remoteAddress ?? '';
}

/**
 * Ends the response, and closes the socket {@link LINGER_MS} later, so that the client can finish sending and read an
 * early response such as 401 or 413. Closing a socket with unread input would reset it and lose the response. RFC 9112
 * §9.6
 */
export function closeGently(socket: Socket, finalText?: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end(finalText ?? '');
}

/**
 * Requests of one connection. After a response that ends the connection, no request starts: the client would not learn
 * the result, and might repeat the request. RFC 9112 §9.6
 */
export class Connection {
  /** Undefined until the TLS handshake is complete. */
  socket: Socket | undefined;
  lastReceived: IncomingMessage | undefined;
  isOpen = true;
  /** True until the first complete request. */
  isSilent = false;
  idleSinceMs = 0;
  /** Responses to received requests, in order, until they close. */
  private readonly openResponses: ServerResponse[] = [];
  /** Responses to requests that have not started: always the last of {@link openResponses}. */
  private readonly unstarted: ServerResponse[] = [];
  private lastStarted: ServerResponse | undefined;
  private isClosingAfterLast = false;
  private isStopping = false;
  /** Bytes that the operating system has accepted for sending. */
  private bytesAccepted = 0;
  /** Last time that {@link bytesAccepted} grew, or that no data waited. */
  private acceptedAtMs = performance.now();

  /**
   * @param address network of the peer.
   * @param requests receives each request that may start.
   * @param beforeStart called before a request starts, if {@link isSilent} or {@link exceedsMaximum}.
   */
  constructor(
    readonly tcp: Socket,
    readonly address: string,
    readonly exceedsMaximum: boolean,
    private readonly requests: RequestSink,
    private readonly beforeStart: (response: ServerResponse) => void,
  ) {}

  get isIdle(): boolean {
    return this.openResponses.length === 0 && this.isOpen && !this.isSilent;
  }

  get pendingResponse(): ServerResponse | undefined {
    return this.openResponses.find(({ writableFinished }) => !writableFinished);
  }

  get isInsideBody(): boolean {
    return this.lastReceived?.complete === false;
  }

  attachSocket(socket: Socket): void {
    this.socket = socket;
    bySocket.set(socket, this);
    socket.on('resume', () => {
      if (this.unstarted.length > 0) socket.pause();
    });
    // Node calls this to end a connection after its last response.
    socket.destroySoon = () => {
      delete (socket as Partial<Socket>).destroySoon;
      if (this.isInsideBody) closeGently(socket);
      else socket.destroySoon();
    };
  }

  /**
   * Starts a request if fewer than the maximum are in progress; else nothing more is read until a request ends. RFC
   * 9112 §9.3.2
   */
  enter(response: ServerResponse): void {
    if (this.isSilent || this.exceedsMaximum) this.beforeStart(response);
    this.lastReceived = response.req;
    this.openResponses.push(response);
    response.on('close', () => this.leave(response));
    if (
      this.unstarted.length === 0 &&
      this.openResponses.length <= MAX_REQUESTS_IN_PROGRESS &&
      !this.isClosingAfterLast &&
      !this.isStopping
    ) {
      this.start(response);
      return;
    }
    this.unstarted.push(response);
    this.socket?.pause();
    // Starting the request now would end the connection before the other requests of the same packet are parsed.
    if (this.isStopping) this.startNextSoon();
  }

  /**
   * After the last request received so far, the connection ends. An idle one ends after its next request.
   */
  stop(): void {
    this.isStopping = true;
    if (this.openResponses.length > 0 && this.unstarted.length === 0) this.endWithLastStarted();
  }

  /**
   * Resets the connection of a client that stops reading. Slow reading is allowed.
   * @param limitMs maximum time without progress while data is unsent.
   */
  cutUnread(nowMs: number, limitMs: number): void {
    const { writableLength, bytesWritten } = this.socket ?? this.tcp;
    const bytesAccepted = bytesWritten - writableLength;
    if (writableLength === 0 || bytesAccepted !== this.bytesAccepted) {
      this.bytesAccepted = bytesAccepted;
      this.acceptedAtMs = nowMs;
    }
    // The reset also drops the data in the operating system.
    else if (nowMs - this.acceptedAtMs >= limitMs) this.tcp.resetAndDestroy();
  }

  private start(response: ServerResponse): void {
    const message: ReceivedRequest = response.req;
    this.lastStarted = response;
    this.isClosingAfterLast = this.exceedsMaximum || message[HEAD_CHECK]?.endsConnection !== 'no';
    if (this.isStopping && this.unstarted.length === 0) this.endWithLastStarted();
    this.requests.enter(message, response);
  }

  private leave(response: ServerResponse): void {
    this.openResponses.splice(this.openResponses.indexOf(response), 1);
    if (this.openResponses.length === this.unstarted.length) this.isClosingAfterLast = this.socket?.writable !== true;
    if (this.unstarted.length > 0) this.startNextSoon();
    else if (this.openResponses.length === 0) this.idleSinceMs = performance.now();
  }

  /**
   * Ends the connection with the last started response. If its headers are already sent, the connection becomes idle
   * instead.
   */
  private endWithLastStarted(): void {
    if (this.lastStarted === undefined || this.lastStarted.headersSent) return;
    this.lastStarted.shouldKeepAlive = false;
    this.isClosingAfterLast = true;
  }

  /** Waits a turn, so that a client with a thousand pipelined requests does not block others. */
  private startNextSoon(): void {
    setImmediate(() => this.startNext());
  }

  private startNext(): void {
    const { socket } = this;
    const inProgress = this.openResponses.length - this.unstarted.length;
    if (inProgress >= MAX_REQUESTS_IN_PROGRESS || this.isClosingAfterLast || socket?.writable !== true) return;
    const next = this.unstarted.shift();
    if (next === undefined) return;
    this.start(next);
    if (this.unstarted.length > 0) this.startNextSoon();
    // Node pauses the socket again if responses still wait to be sent.
    else socket.resume();
  }
}
