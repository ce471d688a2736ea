import { join } from 'node:path';

import { mainFile, workspaceRoot } from '../app/app-process.js';
import { freePort } from '../servers/free-port.js';
import type { Program } from './program.js';
import type { Site } from './site.js';

const QUOTA = '1000000000/60';
/** Quotas that never run out. */
export const ROOMY = { RATE_LIMIT: QUOTA, RATE_LIMIT_ANONYMOUS: QUOTA };

/** An instance of the built service on its own port. */
export interface Instance {
  readonly address: string;
  readonly port: number;
  readonly metricsPort: number;
  readonly program: Program;
  /** Starts it after it has ended. @param env for this start only. */
  startAgain(env?: Readonly<Record<string, string>>): Promise<void>;
}

/** @param env in addition to its ports. */
export async function startInstance(
  site: Site,
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<Instance> {
  const port = await freePort();
  const metricsPort = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const isReady = async (): Promise<boolean> =>
    (await fetch(`${address}/health/ready`, { headers: { connection: 'close' } })).ok;
  const program = await site.run(
    {
      name,
      command: process.execPath,
      args: [mainFile()],
      cwd: site.folder,
      env: {
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        NODE_COMPILE_CACHE: join(workspaceRoot(), 'tmp/compile-cache'),
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
