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
  return (await said(port, 'PING')).startsWith('+PONG');
}

/** @param {number} port whether it is a replica that has all its master has. */
export async function follows(port) {
  const info = await said(port, 'INFO replication');
  return info.includes('role:slave') && info.includes('master_link_status:up');
}

/** @param {number} port @param {string} command @returns {Promise<string>} the beginning of what Redis says to it. */
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
