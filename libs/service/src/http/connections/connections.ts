import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { ServiceUnavailableError } from '@items/conventions';
import { prerendered } from '@items/conventions/answer';

import { Connection } from './connection.js';
import { Handshakes } from './handshakes.js';
import { MAX_CONNECTIONS, MAX_SILENT_PER_ADDRESS, READER_TIMEOUT_MS, TIMEOUT_CHECK_MS } from '../limits.js';
import { networkOf } from '../request/network-of.js';
import { mayHaveBody } from '../request/request-head.js';
import { REFUSAL, type ReceivedRequest } from '../received-request.js';
import { SilentConnections } from './silent-connections.js';

/** Answers what comes on the connections beyond the limit, so that they are not simply cut off. */
export const TOO_MANY_CONNECTIONS = prerendered(
  new ServiceUnavailableError('overloaded', 'The service has too many open connections.'),
);

/** How many connections there may be, and for how long. */
export interface ConnectionLimits {
  /** Open ones; as many again are answered 503. */
  readonly inAll: number;
  /** Of one address, without a complete request. */
  readonly silentPerAddress: number;
  /** How long a client may leave its answers unread. */
  readonly readerMs: number;
}

/** Those of production. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  inAll: MAX_CONNECTIONS,
  silentPerAddress: MAX_SILENT_PER_ADDRESS,
  readerMs: READER_TIMEOUT_MS,
};

/**
 * The open connections of a server. Where there are too many, those go first on which nothing has been asked, and then
 * those on which nothing is asked at the moment.
 */
export class Connections {
  private readonly open = new Set<Connection>();
  private readonly silent = new SilentConnections();
  private readonly handshakes = new Handshakes();
  private whenNone: (() => void) | undefined;
  private isStopping = false;

  private isProxy: (address: string) => boolean = () => false;

  /** @param alwaysAnswered how the paths begin that are answered also where there are too many. */
  constructor(
    private readonly limits: ConnectionLimits,
    private readonly alwaysAnswered: readonly string[],
  ) {}

  /**
   * @param server without any connection as yet.
   * @param isProxy tells the addresses from which many clients come.
   */
  watch(server: Server, isProxy: (address: string) => boolean): void {
    this.isProxy = isProxy;
    const isTls = 'setSecureContext' in server;
    server.on('connection', (tcp: Socket) => {
      const connection = this.accept(tcp);
      if (isTls) this.handshakes.add(connection);
      else this.speak(connection, tcp);
    });
    server.on('secureConnection', (socket: Socket) => {
      const connection = this.handshakes.take(socket);
      if (connection !== undefined) this.speak(connection, socket);
    });
    // Node closes the others at once: also those that get a 503 cost a file descriptor.
    server.maxConnections = 2 * this.limits.inAll;
    const check = setInterval(() => {
      for (const connection of this.open) connection.cutUnread(performance.now(), this.limits.readerMs);
    }, TIMEOUT_CHECK_MS).unref();
    server.once('close', () => {
      clearInterval(check);
    });
  }

  /** Beyond so many, one must go for each that comes. */
  get max(): number {
    return this.limits.inAll;
  }

  /** Those that speak HTTP. */
  all(): readonly Socket[] {
    return [...this.open].flatMap(({ socket }) => socket ?? []);
  }

  /** From here on each of them ends with an answer, those that come as well. */
  stop(): void {
    this.isStopping = true;
    for (const connection of this.open) connection.stop();
  }

  /** Ends what has not finished its TLS handshake. */
  closeHandshakes(): void {
    for (const { socket, tcp } of this.open) if (socket === undefined) tcp.destroy();
  }

  /** Ends all of them, whatever is under way. */
  cut(): void {
    for (const { socket, tcp } of this.open) (socket ?? tcp).destroy();
  }

  /** @returns a promise that is kept when no connection is left. */
  async drained(): Promise<void> {
    if (this.open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.whenNone = resolve;
    });
  }

  private accept(tcp: Socket): Connection {
    // Node takes its own listener off a socket that it hands over, and a reset without one ends the process.
    tcp.on('error', () => undefined);
    const address = tcp.remoteAddress ?? '';
    // An IPv6 network of one customer is one address.
    const client = networkOf(address);
    const oldest = this.silent.oldestOf(client);
    if (this.silent.countOf(client) >= this.limits.silentPerAddress && !this.isProxy(address)) this.close(oldest);
    const connection = new Connection(tcp, client, !this.makeRoom(), (message, response) => {
      if (connection.isSilent) this.noteSpeech(connection, message);
      if (connection.isBeyond && this.open.size > this.limits.inAll) this.refuse(message, response);
    });
    if (this.isStopping) connection.stop();
    this.open.add(connection);
    this.silent.add(connection);
    tcp.once('close', () => {
      this.forget(connection);
    });
    return connection;
  }

  private speak(connection: Connection, socket: Socket): void {
    if (socket !== connection.tcp) socket.on('error', () => undefined);
    connection.speakOver(socket);
  }

  /** @returns whether there is room for one more. */
  private makeRoom(): boolean {
    const { open, silent, limits } = this;
    if (open.size < limits.inAll) return true;
    const oldest = silent.oldest() ?? this.oldestIdle();
    this.close(oldest);
    // The last place of all is kept free: it may be needed for a health check.
    if (open.size >= 2 * limits.inAll - 1) this.close(silent.oldestBeyond());
    return oldest !== undefined;
  }

  private close(connection: Connection | undefined): void {
    if (connection === undefined) return;
    (connection.socket ?? connection.tcp).destroy();
    // Its socket says so only later.
    this.forget(connection);
  }

  /** Looked for only where there are too many: requests keep no list of them. */
  private oldestIdle(): Connection | undefined {
    let oldest: Connection | undefined;
    for (const connection of this.open) {
      if (connection.isIdle && !(oldest !== undefined && oldest.idleSinceMs <= connection.idleSinceMs))
        oldest = connection;
    }
    return oldest;
  }

  private refuse(message: ReceivedRequest, response: ServerResponse): void {
    response.shouldKeepAlive = false;
    const isAnswered = this.alwaysAnswered.some((start) => message.url?.startsWith(start));
    if (!isAnswered) message[REFUSAL] = TOO_MANY_CONNECTIONS;
  }

  private noteSpeech(connection: Connection, message: ReceivedRequest): void {
    if (!mayHaveBody(message)) this.silent.delete(connection);
    else message.once('end', () => this.silent.delete(connection));
  }

  private forget(connection: Connection): void {
    connection.isOpen = false;
    this.open.delete(connection);
    this.silent.delete(connection);
    if (this.open.size === 0) this.whenNone?.();
  }
}
