import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { HANDSHAKE, type ReceivedRequest } from '../received-request.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';
import type { Connections } from './connections.js';
import { closeGently } from './connection.js';
import { afterEarlierResponses } from './unusual-requests.js';

type UpgradeListener = (message: IncomingMessage, socket: Socket, head: Buffer) => void;

const OLD_NODE =
  'A WebSocket gateway on the port of the service needs Node 22.21, 24.9 or newer: update Node, or give the gateway a port of its own.';
const OTHER_REQUESTS =
  'A library, such as socket.io, takes requests before the service checks them: use WsAdapter of @nestjs/platform-ws, or give the gateway a port of its own.';

type UpgradeGuard = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Each WebSocket handshake passes the request hooks before a listener of the app gets its socket. Other requests with
 * `Upgrade` are served as ordinary ones. RFC 6455 §4.2, RFC 9110 §7.8
 */
export class Upgrades {
  private readonly listeners: UpgradeListener[] = [];
  private readonly sockets = new Set<Socket>();
  private isWatching = false;
  guard: UpgradeGuard = () => Promise.resolve();

  constructor(
    private readonly connections: Pick<Connections, 'release'>,
    private readonly isUpgradable: (path: string) => boolean,
  ) {}

  get hasListeners(): boolean {
    return this.listeners.length > 0;
  }

  /** Node emits `upgrade` instead of `request` if this returns true. */
  readonly shouldUpgradeCallback = (message: IncomingMessage): boolean => {
    const { method, headers, url = '' } = message;
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket' || !this.hasListeners) return false;
    const path = pathOf(url);
    return path !== undefined && this.isUpgradable(path);
  };

  /**
   * Passes only admitted handshakes to the `upgrade` listeners of the app. Watches one server: Fastify forwards
   * handshakes of its second server (for `localhost`) to the first.
   */
  watch(server: Server): void {
    if (this.isWatching) return;
    this.isWatching = true;
    const isSupported = 'shouldUpgradeCallback' in server;
    const receive = (message: IncomingMessage, socket: Socket, head: Buffer): void => {
      afterEarlierResponses(socket, () => this.receive(server, message, socket, head));
    };
    server.on('upgrade', receive);
    server.on('newListener', (event: string, listener: UpgradeListener) => {
      if (event === 'request') throw new StartRefusedError(OTHER_REQUESTS);
      if (event !== 'upgrade') return;
      if (!isSupported) throw new StartRefusedError(OLD_NODE);
      this.listeners.push(listener);
      // Node adds the listener after this event. Remove the listener in a microtask, because only `pass` calls it.
      queueMicrotask(() => server.off('upgrade', listener));
    });
  }

  pass(message: ReceivedRequest): void {
    const { [HANDSHAKE]: handshake } = message;
    if (handshake === undefined) return;
    const { socket, head, response, end } = handshake;
    message[HANDSHAKE] = undefined;
    response.off('finish', end).detachSocket(socket);
    response.statusCode = 101;
    this.connections.release(socket);
    this.sockets.add(socket.once('close', () => this.sockets.delete(socket)));
    // The app writes its own response, so end this one for the log and the queue.
    response.emit('finish');
    response.emit('close');
    for (const listener of this.listeners) listener(message, socket, head);
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private receive(server: Server, message: ReceivedRequest, socket: Socket, head: Buffer): void {
    const response = new ServerResponse(message);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    const end = (): void => {
      closeGently(socket);
      socket.resume();
    };
    response.on('finish', end);
    message[HANDSHAKE] = { socket, head, response, end };
    server.emit('request', message, response);
  }
}

/** Returns the path; undefined if a listener that parses the target as a URL would see another path. */
function pathOf(target: string): string | undefined {
  const [path = ''] = target.split('?', 1);
  return URL.canParse(target, 'ws://host') && new URL(target, 'ws://host').pathname === path ? path : undefined;
}
