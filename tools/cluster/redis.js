import { once } from 'node:events';
import { connect } from 'node:net';

import { freePort } from '@items/testing';

import { programPath } from './binaries.js';

/**
 * Starts a Redis server that does not write to disk.
 * @param {import('./site.js').Site} site
 * @param {string} [name]
 * @param {readonly string[]} [more] further arguments.
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

/** Checks if Redis responds with PONG. @param {number} port */
export async function answers(port) {
  return (await said(port, 'PING')).startsWith('+PONG');
}

/** Checks if a server is a replica that is in sync with its master. @param {number} port */
export async function follows(port) {
  const info = await said(port, 'INFO replication');
  return info.includes('role:slave') && info.includes('master_link_status:up');
}

/** @param {number} port @param {string} command @returns {Promise<string>} the start of the response of Redis. */
async function said(port, command) {
  const socket = connect({ host: '127.0.0.1', port, timeout: 1000 }).setEncoding('utf8');
  try {
    await once(socket, 'connect');
    socket.write(`${command}\r\n`);
    const [answer] = await once(socket, 'data');
    return String(answer);
  } finally {
    socket.destroy();
  }
}
