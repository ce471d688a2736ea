import type { FastifyListenOptions } from 'fastify';

import { MAX_UNACCEPTED } from '../../http/limits.js';
import type { Config } from '../../runtime/config/config.js';

export function listenOptions({
  port,
  host,
  reusePort,
}: Config): FastifyListenOptions & { readonly reusePort: boolean } {
  return { port, host, backlog: MAX_UNACCEPTED, reusePort };
}
