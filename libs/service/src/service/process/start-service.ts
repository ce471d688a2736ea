import type { Type } from '@nestjs/common';

import { rootOptionsOf } from './service.module.js';
import type { RunningService, ServiceOptions } from './service-options.js';

/**
 * Starts a service with collections of one's own.
 * @example const { url, stop } = await startService({ collections: [books] });
 * @example await startService(AppModule);
 * @param service options, or a root module that imports `ServiceModule.forRoot()`.
 * @param changes override the options of the root module, such as its settings in a test.
 * @throws {ConfigError} a setting is wrong, or a port cannot be listened on: one sentence, without a stack.
 * @throws {Error} a role is wrong.
 */
export async function startService(
  service: ServiceOptions | Type,
  changes: ServiceOptions = {},
): Promise<RunningService> {
  // Loaded only now: who imports a collection alone needs no memory for a service.
  const { startComposed } = await import('./start-composed.js');
  return startComposed({ ...(typeof service === 'function' ? rootOptionsOf(service) : service), ...changes });
}
