import 'reflect-metadata';
import './known-warnings.js';

import cluster from 'node:cluster';

import { stdoutLog } from '@items/logging';

import type { Config } from '../config/config.js';
import { createService } from '../create-service.js';
import { Ending } from './ending.js';
import { listening } from './fail-start.js';
import { welcome } from './welcome.js';

/** Runs the service in this process until a signal ends it. */
export async function serve(config: Config): Promise<void> {
  // What it writes holds secrets: only this user may read it.
  process.umask(0o077);
  const log = stdoutLog(config.logLevel);
  const { app, stop } = await createService(config, log);
  // Nothing else listens as yet.
  await listening('METRICS_PORT', app.init());
  // Not by Nest, which would log what keeps it from listening beside the sentence that explains it.
  const url = await app.getHttpAdapter().getInstance().listen({ port: config.port, host: config.host });
  const isFirst = cluster.worker === undefined || cluster.worker.id === 1;
  if (isFirst) process.stdout.write(welcome(config, url));
  new Ending(stop, log, config.stopDelayMs).watch();
}
