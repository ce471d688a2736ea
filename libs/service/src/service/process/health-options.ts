import type { HealthOptions } from '../../runtime/health-server/serve-health.js';
import type { StartOptions } from '../../runtime/health-server/serve-start.js';
import type { Log } from '../../runtime/logging/log.js';

import type { Config } from '../../runtime/config/config.js';

export function healthOptions({ healthPort: port, host, versions }: Config, log: Log): HealthOptions | undefined {
  return port === undefined ? undefined : { port, host, log, headers: versions.headersOf() };
}

/** The server responds on `PORT` during the start. */
export function startOptions({ port, host, tls, versions }: Config): StartOptions {
  return { port, host, tls, headers: versions.headersOf() };
}
