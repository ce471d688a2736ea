import cluster from 'node:cluster';

import type { Config } from '../config/config.js';
import { createService } from '../create-service.js';
import { stdoutLog } from '../logging/log.js';
import { welcome } from './welcome.js';

/** Whatever hangs, the process is gone within 10 s of the signal. */
const STOP_LIMIT_MS = 9_700;

/** Runs the service in this process until a signal ends it. */
export async function serve(config: Config): Promise<void> {
  // What it writes holds secrets: nobody else reads it.
  process.umask(0o077);
  const { app, stop } = await createService(config, stdoutLog());
  await app.init();
  // Not by Nest, which would log what keeps it from listening beside the sentence that explains it.
  const url = await app.getHttpAdapter().getInstance().listen({ port: config.port, host: config.host });
  const isFirst = cluster.worker === undefined || cluster.worker.id === 1;
  if (isFirst) process.stdout.write(welcome(config, url));

  let stopping: Promise<void> | undefined;
  const end = (): void => {
    // A terminal signals the whole group, and npm passes the signal on: the second one is the same.
    if (stopping !== undefined) return;
    setTimeout(() => process.exit(0), STOP_LIMIT_MS).unref();
    stopping = stop();
    stopping.then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
