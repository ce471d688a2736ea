import { once } from 'node:events';
import { connect } from 'node:net';

import { freePort } from '@items/testing';

import { programPath } from './binaries.ts';
import type { Site } from './site.ts';

/** Starts a Redis server that does not write to disk. */
export async function startRedis(site: Site, name: string = 'redis', more: readonly string[] = []) {
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

/** @throws {MissingProgramError} */
export function redisServer() {
  return programPath('redis-server', 'redis-server');
}

/** Checks if Redis responds with PONG. */
export async function answers(port: number) {
  return (await said(port, 'PING')).startsWith('+PONG');
}

/** Checks if a server is a replica that is in sync with its master. */
export async function follows(port: number) {
  const info = await said(port, 'INFO replication');
  return info.includes('role:slave') && info.includes('master_link_status:up');
}

/** Returns the start of the response of Redis. */
async function said(port: number, command: string): Promise<string> {
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
