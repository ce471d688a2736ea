import type { ServedApp } from '../../http/nest/create-app.js';

import { ServedDocument } from '../../document/served/served-document.js';
import { AdminKey } from '../../access/auth/admin-key.js';
import type { Config } from '../../runtime/config/config.js';

/** A service is ready so long after it began, where it can be. */
const START_MS = 1_300;
const LEAST_WARM_UP_MS = 400;
/** So many make V8 compile what reads a page. */
const WARM_REQUESTS = 5_000;

/**
 * Makes the document of a service, and lets it answer requests of its own before it listens, as long as `WARM_UP_MS` allows.
 * @param beganAtMs on the clock of `performance`: a start that was quick has time for more, so that it is not slow altogether.
 * @returns how many were answered.
 */
export async function warmUpService(
  { app, warmUp }: Pick<ServedApp, 'app' | 'warmUp'>,
  { warmUpMs, tracing, requireHttps }: Pick<Config, 'warmUpMs' | 'tracing' | 'requireHttps'>,
  beganAtMs: number,
): Promise<number> {
  if (warmUpMs === 0) return 0;
  // Otherwise all clients would wait while it is made for the first one that asks for it.
  app.get(ServedDocument, { strict: false }).prepare();
  // Not where there are traces: its requests would stand in them.
  if (tracing) return 0;
  const forMs = Math.min(warmUpMs, Math.max(LEAST_WARM_UP_MS, START_MS - (performance.now() - beganAtMs)));
  const options = { forMs, requests: WARM_REQUESTS, asHttps: requireHttps };
  return app.get(AdminKey, { strict: false }).lend((key) => warmUp({ ...options, headers: { 'x-api-key': key } }));
}
