import { createServer } from 'node:net';

/** All ports are below those that common systems use for outgoing connections and for port 0. */
const LOWEST = 10_240;
const HIGHEST = 32_767;
const PORTS = HIGHEST - LOWEST + 1;

/** Start of the next search. Random, so that concurrent processes begin far apart. */
let next = Math.floor(Math.random() * PORTS);

/** Returns a free TCP port of 127.0.0.1 that this process has not used lately. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS; tried += 1) {
    const port = LOWEST + next;
    next = (next + 1) % PORTS;
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${String(LOWEST)} to ${String(HIGHEST)} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
