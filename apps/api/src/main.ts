import cluster from 'node:cluster';

import { loadConfig } from './config/load-config.js';
import { readEnvironment } from './config/read-environment.js';
import { failStart } from './process/fail-start.js';
import { supervise } from './process/supervise.js';

try {
  const config = loadConfig(readEnvironment());
  if (config.workers > 1 && cluster.isPrimary) await supervise(config);
  // Loaded late: a wrong value is told at once, and who only supervises workers needs no memory for what serves.
  else await (await import('./process/serve.js')).serve(config);
} catch (error) {
  failStart(error);
}
