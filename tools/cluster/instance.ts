import { freePort } from '@items/testing';

import { workspacePath } from '../workspace/root.ts';
import type { Program } from './program.ts';
import type { Site } from './site.ts';

/** An instance of the built service on its own port. */
export interface Instance {
  address: string;
  port: number;
  metricsPort: number;
  program: Program;
  /** Starts it after it has ended. */
  startAgain: (env?: Record<string, string>) => Promise<void>;
}

export async function startInstance(site: Site, name: string, env: Record<string, string>): Promise<Instance> {
  const port = await freePort();
  const metricsPort = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const isReady = () => fetch(`${address}/health/ready`, { headers: { connection: 'close' } }).then(({ ok }) => ok);
  const program = await site.run(
    {
      name,
      command: process.execPath,
      args: [workspacePath('apps/api/dist/main.js')],
      cwd: site.folder,
      env: {
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        NODE_COMPILE_CACHE: workspacePath('tmp/compile-cache'),
        ...env,
      },
    },
    isReady,
  );
  return {
    address,
    port,
    metricsPort,
    program,
    startAgain: async (more) => {
      program.start(more);
      await site.ready(program, isReady);
    },
  };
}
