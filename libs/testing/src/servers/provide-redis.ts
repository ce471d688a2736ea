import { once } from 'node:events';
import { connect } from 'node:net';
import { foundServer, missingServer, type ProvidedServer } from './provided-server.js';

/**
 * Finds a Redis server for tests: `REDIS_URL`, else 127.0.0.1:6379.
 * @throws {Error} `REDIS_URL` names a server that does not respond.
 */
export async function provideRedis(env: NodeJS.ProcessEnv = process.env): Promise<ProvidedServer> {
  const given = env['REDIS_URL'];
  if (given !== undefined && given !== '') {
    const { hostname, port } = new URL(given);
    await answers(hostname, Number(port || 6379));
    return foundServer(given, 'Redis from REDIS_URL');
  }
  try {
    await answers('127.0.0.1', 6379);
    return foundServer('redis://127.0.0.1:6379', 'Redis on 127.0.0.1:6379');
  } catch {
    return missingServer('no Redis: REDIS_URL is not set and 127.0.0.1:6379 is silent');
  }
}

/** Redis responds to an inline PING, even if it requires a password. @throws {Error} there is no response. */
export async function answers(host: string, port: number): Promise<void> {
  const socket = connect({ host, port, timeout: 3000 }).setEncoding('utf8');
  socket.once('timeout', () => socket.destroy(new Error(`Redis on ${host}:${String(port)} does not answer`)));
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [answer] = (await once(socket, 'data')) as [string];
    if (!/^(\+PONG|-NOAUTH)/.test(answer)) throw new Error(`${host}:${String(port)} is not Redis`);
  } finally {
    socket.destroy();
  }
}
