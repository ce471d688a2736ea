import 'reflect-metadata';
import './process/known-warnings.js';

import cluster from 'node:cluster';

import { loadConfig } from './config/load-config.js';
import { readEnvironment } from './config/read-environment.js';
import { stdoutLog } from './logging/log.js';
import { failStart } from './process/fail-start.js';
import { serve } from './process/serve.js';
import { superviseWorkers } from './process/supervise-workers.js';

try {
  const config = loadConfig(readEnvironment());
  if (config.workers > 1 && cluster.isPrimary) superviseWorkers(config.workers, stdoutLog());
  else await serve(config);
} catch (error) {
  failStart(error);
}
