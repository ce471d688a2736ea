import { addRoles } from '../principal/roles.js';
import type { RunningService, ServiceOptions } from './service-options.js';

/**
 * Starts a service with collections of one's own.
 * @example const { url, stop } = await startService({ collections: [books] });
 * @throws {ConfigError} a setting is wrong.
 * @throws {Error} a role is wrong.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  addRoles(options.roles ?? {});
  // Loaded now: the scopes of all collections are known, and all roles.
  const { startComposed } = await import('./start-composed.js');
  return startComposed(options);
}
