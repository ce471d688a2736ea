import { answers } from '../servers/provide-redis.js';
import { freePort } from '../servers/free-port.js';
import { programPath } from './binaries.js';
import type { Program } from './program.js';
import type { Site } from './site.js';

export interface Redis {
  readonly url: string;
  readonly port: number;
  readonly program: Program;
  /** Starts it after it has ended, without data. */
  startAgain(): Promise<void>;
}

/** Starts a Redis server that does not write to disk. */
export async function startRedis(site: Site): Promise<Redis> {
  const port = await freePort();
  const cwd = site.folderOf('redis');
  const isReady = async (): Promise<true> => {
    await answers('127.0.0.1', port);
    return true;
  };
  const program = await site.run(
    {
      name: 'redis',
      command: programPath('redis-server', 'redis-server'),
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', cwd],
      cwd,
      ...site.as,
    },
    isReady,
  );
  const startAgain = async (): Promise<void> => {
    program.start();
    await site.ready(program, isReady);
  };
  return { port, url: `redis://127.0.0.1:${port}`, program, startAgain };
}
