import cluster from 'node:cluster';

import type { Composition } from '../composition/composition.js';
import { loadConfig } from '../../runtime/config/load-config.js';
import { readEnvironment } from '../../runtime/config/read-environment.js';
import { failStart } from './fail-start.js';
import { supervise } from './supervise.js';

/**
 * Runs a service as the program of this process, with the settings of the environment, until a signal ends it.
 * @param composition loads the served app, only in a process that serves: a supervisor of workers needs no memory for it, and
 *   a wrong value of a setting is reported at once.
 */
export async function runService(composition: () => Promise<Composition>): Promise<void> {
  try {
    const config = loadConfig(readEnvironment());
    if (config.workers > 1 && cluster.isPrimary) await supervise(config);
    else await (await import('./serve.js')).serve(await composition(), config);
  } catch (error) {
    failStart(error);
  }
}
