import type { Type } from '@nestjs/common';

import { rootOptionsOf } from './service.module.js';
import type { RunningService, ServiceOptions } from './service-options.js';

/**
 * Starts a service with the collections of a team.
 * @example
 * const { url, stop } = await startService({ collections: [books] });
 * @example
 * await startService(AppModule);
 * @param service options, or a root module that imports `ServiceModule.forRoot()`.
 * @param changes override the options of the root module, such as its settings in a test.
 * @throws {ConfigError} a setting is wrong, or the service cannot listen on a port.
 * @throws {StartRefusedError} the service cannot start as written. These errors have one sentence and no stack. If no
 *   code
 * catches them, the process prints the sentence and exits with status 1.
 */
export async function startService(
  service: ServiceOptions | Type,
  changes: ServiceOptions = {},
): Promise<RunningService> {
  // Load the service here, so that importing `collection()` alone costs no memory for it.
  const { startComposed } = await import('./start-composed.js');
  return startComposed({ ...(typeof service === 'function' ? rootOptionsOf(service) : service), ...changes });
}
