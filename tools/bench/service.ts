import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '@items/testing';

import { workspacePath } from '../workspace/root.ts';
import { ServerProcess } from './server-process.ts';

const KEY = 'bench-key-that-is-long-enough-for-the-service';
/** Generous time limit of a start, because the machine may be busy with other checks. */
const START_SECONDS = 60;

/**
 * Starts the built service, with quotas that count but never run out.
 * @param file an SQLite file, or the URL of a database.
 */
export async function startService(file: string, extra: NodeJS.ProcessEnv = {}) {
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: file.includes(':') ? file : `sqlite:${file}`,
    ADMIN_API_KEY: KEY,
    RATE_LIMIT: '1000000000/60',
    RATE_LIMIT_ANONYMOUS: '1000000000/60',
    // Stop without a delay, because no load balancer has to notice the stop.
    STOP_DELAY: '0',
    ...extra,
  };
  const server = new ServerProcess(workspacePath('apps/api/dist/main.js'), [], env);
  const address = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < START_SECONDS * 50; attempt++) {
    const ready = await fetch(`${address}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return { process: server, address, headers: { 'x-api-key': KEY } };
    await sleep(20);
  }
  await server.stop();
  throw new Error(`The service is not ready after ${START_SECONDS} s; is it built? (npm run build)`);
}
