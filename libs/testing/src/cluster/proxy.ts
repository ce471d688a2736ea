import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { workspaceRoot } from '../app/app-process.js';
import { TEST_CERTIFICATE } from '../app/test-certificate.js';
import { HttpClient } from '../http/http-client.js';
import { programPath } from './binaries.js';
import type { Program } from './program.js';
import type { Site } from './site.js';

/**
 * Starts HAProxy with the configuration of `deploy/`, in front of two instances.
 * @param instances their ports.
 * @param change adapts the configuration for a test.
 */
export async function startProxy(
  site: Site,
  port: number,
  instances: readonly [number, number],
  change: (configuration: string) => string = (configuration) => configuration,
): Promise<Program> {
  const configuration = readFileSync(join(workspaceRoot(), 'deploy/haproxy/haproxy.cfg'), 'utf8');
  const client = new HttpClient({ baseUrl: `https://127.0.0.1:${port}`, ca: TEST_CERTIFICATE.cert });
  return site.run(
    {
      name: 'haproxy',
      command: programPath('haproxy', 'haproxy'),
      args: ['-db', '-f', site.file('haproxy.cfg', change(configuration))],
      cwd: site.folder,
      env: {
        HTTPS_BIND: `127.0.0.1:${port}`,
        TLS_PEM: site.file('proxy.pem', TEST_CERTIFICATE.cert + TEST_CERTIFICATE.key),
        INSTANCE_A: `127.0.0.1:${instances[0]}`,
        INSTANCE_B: `127.0.0.1:${instances[1]}`,
      },
    },
    async () => (await client.get('/health/live', ['Connection', 'close'])).status === 200,
  );
}
