import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const PER_ADDRESS = 1000;
const CONCURRENT = 200;

/**
 * Opens connections, sends one request on each, and leaves them idle. Uses as many source addresses as necessary.
 * @returns the connections that are open; the service closes some of them.
 */
export async function idleConnections(port: number, count: number): Promise<ReadonlySet<Socket>> {
  const sockets = new Set<Socket>();
  for (let begun = 0; begun < count; begun += CONCURRENT) {
    const opened = Array.from({ length: CONCURRENT }, async (_, index) => {
      const localAddress = `127.0.1.${1 + Math.floor((begun + index) / PER_ADDRESS)}`;
      const socket = connect({ host: '127.0.0.1', port, localAddress });
      socket.on('error', () => undefined);
      socket.once('close', () => sockets.delete(socket));
      sockets.add(socket);
      socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      // The service refuses some connections beyond its limit.
      await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => undefined);
    });
    await Promise.all(opened);
  }
  return sockets;
}
