import type { Socket } from 'node:net';

import type { Connection } from './connection.js';

/** Connections in a TLS handshake, by peer address: Node does not expose the TCP socket below a TLS socket. */
export class Handshakes {
  private readonly byPeer = new Map<string, Connection>();

  add(connection: Connection): void {
    const { tcp } = connection;
    const peer = peerOf(tcp);
    this.byPeer.set(peer, connection);
    tcp.once('close', () => {
      if (this.byPeer.get(peer) === connection) this.byPeer.delete(peer);
    });
  }

  take(socket: Socket): Connection | undefined {
    const peer = peerOf(socket);
    const connection = this.byPeer.get(peer);
    this.byPeer.delete(peer);
    return connection;
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${String(remotePort)}`;
}
