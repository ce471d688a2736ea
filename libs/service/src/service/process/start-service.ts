import type { RunningService, ServiceOptions } from './service-options.js';

/**
 * Starts a service with collections of one's own.
 * @example const { url, stop } = await startService({ collections: [books] });
 * @throws {ConfigError} a setting is wrong, or a port cannot be listened on: one sentence, without a stack.
 * @throws {Error} a role is wrong.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  // Loaded only now: who imports a collection alone needs no memory for a service.
  const { startComposed } = await import('./start-composed.js');
  return startComposed(options);
}
