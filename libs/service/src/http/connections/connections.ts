import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { ServiceUnavailableError } from '@items/conventions';
import { prerendered } from '@items/conventions/answer';

import { Connection, connectionOf, type RequestSink } from './connection.js';
import { MAX_CONNECTIONS, MAX_SILENT_PER_ADDRESS, READER_TIMEOUT_MS, TIMEOUT_CHECK_MS } from '../limits.js';
import { networkOf } from '../request/network-of.js';
import { mayHaveBody } from '../request/request-head.js';
import { REFUSAL, type ReceivedRequest } from '../received-request.js';
import { SilentConnections } from './silent-connections.js';

export const TOO_MANY_CONNECTIONS = prerendered(
  new ServiceUnavailableError('overloaded', 'The service has too many open connections.'),
);

export interface ConnectionLimits {
  /** Maximum number of open connections. Up to the same number of further connections get 503. */
  readonly inAll: number;
  /** Maximum number of connections of one address without a complete request. */
  readonly silentPerAddress: number;
  /** Time limit for a client that reads nothing. */
  readonly readerMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  inAll: MAX_CONNECTIONS,
  silentPerAddress: MAX_SILENT_PER_ADDRESS,
  readerMs: READER_TIMEOUT_MS,
};

/** The open connections, limited by {@link ConnectionLimits}. */
export class Connections {
  private readonly open = new Set<Connection>();
  private readonly silent = new SilentConnections();
  /** Connections in a TLS handshake, by peer: Node does not expose the TCP socket below a TLS socket. */
  private readonly handshakes = new Map<string, Connection>();
  private whenNone: (() => void) | undefined;
  private isStopping = false;
  private isProxy: (address: string) => boolean = () => false;

  constructor(
    private readonly limits: ConnectionLimits,
    private readonly alwaysServed: readonly string[],
    private readonly requests: RequestSink,
  ) {}

  watch(server: Server, isProxy: (address: string) => boolean): void {
    this.isProxy = isProxy;
    const isTls = 'setSecureContext' in server;
    server.on('connection', (tcp: Socket) => {
      const connection = this.accept(tcp);
      if (isTls) this.awaitHandshake(connection);
      else connection.attachSocket(tcp);
    });
    server.on('secureConnection', (socket: Socket) => {
      const connection = this.handshakes.get(peerOf(socket));
      if (connection === undefined) return;
      this.handshakes.delete(peerOf(socket));
      socket.on('error', () => undefined);
      connection.attachSocket(socket);
    });
    // Even a connection that gets 503 costs a file descriptor, so Node closes further ones immediately.
    server.maxConnections = 2 * this.limits.inAll;
    const check = setInterval(() => {
      for (const connection of this.open) connection.cutUnread(performance.now(), this.limits.readerMs);
    }, TIMEOUT_CHECK_MS).unref();
    server.once('close', () => clearInterval(check));
  }

  get max(): number {
    return this.limits.inAll;
  }

  all(): readonly Socket[] {
    return [...this.open].flatMap(({ socket }) => socket ?? []);
  }

  /** Stops counting a connection that no longer speaks HTTP. */
  release(socket: Socket): void {
    const connection = connectionOf(socket);
    if (connection !== undefined) this.forget(connection);
  }

  stop(): void {
    this.isStopping = true;
    for (const connection of this.open) connection.stop();
  }

  closeHandshakes(): void {
    for (const { socket, tcp } of this.open) if (socket === undefined) tcp.destroy();
  }

  cut(): void {
    for (const { socket, tcp } of this.open) (socket ?? tcp).destroy();
  }

  async drained(): Promise<void> {
    if (this.open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.whenNone = resolve;
    });
  }

  private accept(tcp: Socket): Connection {
    // An unhandled reset would end the process, and Node removes its own listener when it emits `upgrade`.
    tcp.on('error', () => undefined);
    const address = tcp.remoteAddress ?? '';
    const client = networkOf(address);
    const oldest = this.silent.oldestOf(client);
    if (this.silent.countOf(client) >= this.limits.silentPerAddress && !this.isProxy(address)) this.close(oldest);
    const connection = new Connection(tcp, client, !this.makeRoom(), this.requests, (response) => {
      if (connection.isSilent) this.markActive(connection, response.req);
      if (connection.exceedsMaximum && this.open.size > this.limits.inAll) this.refuse(response.req, response);
    });
    if (this.isStopping) connection.stop();
    this.open.add(connection);
    this.silent.add(connection);
    tcp.once('close', () => this.forget(connection));
    return connection;
  }

  private awaitHandshake(connection: Connection): void {
    const peer = peerOf(connection.tcp);
    this.handshakes.set(peer, connection);
    connection.tcp.once('close', () => {
      if (this.handshakes.get(peer) === connection) this.handshakes.delete(peer);
    });
  }

  private makeRoom(): boolean {
    const { open, silent, limits } = this;
    if (open.size < limits.inAll) return true;
    const oldest = silent.oldest() ?? this.oldestIdle();
    this.close(oldest);
    // The last free slot is reserved for a health check.
    if (open.size >= 2 * limits.inAll - 1) this.close(silent.oldestBeyond());
    return oldest !== undefined;
  }

  private close(connection: Connection | undefined): void {
    if (connection === undefined) return;
    (connection.socket ?? connection.tcp).destroy();
    // The `close` event comes later, but the slot is needed now.
    this.forget(connection);
  }

  /** Searches all connections: calls are rare, and a sorted list would slow down every request. */
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
    const isAlwaysServed = this.alwaysServed.some((start) => message.url?.startsWith(start));
    if (!isAlwaysServed) message[REFUSAL] = TOO_MANY_CONNECTIONS;
  }

  private markActive(connection: Connection, message: ReceivedRequest): void {
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

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${String(remotePort)}`;
}
