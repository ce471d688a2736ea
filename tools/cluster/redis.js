import { once } from 'node:events';
import { connect } from 'node:net';

import { freePort } from '@items/testing';

import { programPath } from './binaries.js';

/**
 * A Redis that keeps nothing on disk.
 * @param {import('./site.js').Site} site
 * @param {string} [name]
 * @param {readonly string[]} [more] arguments.
 */
export async function startRedis(site, name = 'redis', more = []) {
  const port = await freePort();
  const cwd = site.folderOf(name);
  const program = await site.run(
    {
      name,
      command: redisServer(),
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', cwd, ...more],
      cwd,
      ...(site.as !== undefined && { as: site.as }),
    },
    () => answers(port),
  );
  const startAgain = async () => {
    program.start();
    await site.ready(program, () => answers(port));
  };
  return { port, url: `redis://127.0.0.1:${port}`, program, startAgain };
}

/** @throws {import('./binaries.js').MissingProgramError} */
export function redisServer() {
  return programPath('redis-server', 'redis-server');
}

/** @param {number} port whether it says PONG. */
export async function answers(port) {
  const socket = connect({ host: '127.0.0.1', port, timeout: 1000 }).setEncoding('utf8');
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [answer] = await once(socket, 'data');
    return String(answer).startsWith('+PONG');
  } finally {
    socket.destroy();
  }
}
