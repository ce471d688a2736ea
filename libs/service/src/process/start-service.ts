import type { RunningService, ServiceOptions } from './service-options.js';

/**
 * Starts a service with collections of one's own.
 * @example const { url, stop } = await startService({ collections: [books] });
 * @throws {ConfigError} a setting is wrong.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  // Loaded now: the scopes of all collections are known.
  const { startComposed } = await import('./start-composed.js');
  return startComposed(options);
}
