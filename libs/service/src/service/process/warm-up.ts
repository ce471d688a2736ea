import type { ServedApp } from '../../http/nest/create-app.js';

import { ServedDocument } from '../../document/served/served-document.js';
import { AdminKey } from '../../access/auth/admin-key.js';
import type { Config } from '../../runtime/config/config.js';

/** Target time from the start of the service until it is ready. */
const START_MS = 1_300;
const LEAST_WARM_UP_MS = 400;
/** Number of requests after which V8 has compiled the code that reads a page. */
const WARM_REQUESTS = 5_000;

/**
 * @param beganAtMs start of the service, by the `performance` clock. A fast start has more time left to warm up.
 * @returns the number of completed requests.
 */
export async function warmUpService(
  { app, warmUp }: Pick<ServedApp, 'app' | 'warmUp'>,
  { warmUpMs, tracing, requireHttps }: Pick<Config, 'warmUpMs' | 'tracing' | 'requireHttps'>,
  beganAtMs: number,
): Promise<number> {
  if (warmUpMs === 0) return 0;
  // Build the document now: the first request for it would block all other clients.
  app.get(ServedDocument, { strict: false }).prepare();
  // With tracing, send no warm-up requests, because the traces would contain them.
  if (tracing) return 0;
  const forMs = Math.min(warmUpMs, Math.max(LEAST_WARM_UP_MS, START_MS - (performance.now() - beganAtMs)));
  const options = { forMs, requests: WARM_REQUESTS, asHttps: requireHttps };
  return app
    .get(AdminKey, { strict: false })
    .withTemporaryKey((key) => warmUp({ ...options, headers: { 'x-api-key': key } }));
}
