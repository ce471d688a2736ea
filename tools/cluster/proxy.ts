import { readFileSync } from 'node:fs';

import { HttpClient, TEST_CERTIFICATE } from '@items/testing';

import { workspacePath } from '../workspace/root.ts';
import { programPath } from './binaries.ts';
import type { Site } from './site.ts';

/**
 * Starts HAProxy with the configuration of `deploy/`, in front of two instances with these ports.
 * @param change adapts the configuration for a check.
 */
export async function startProxy(
  site: Site,
  port: number,
  [a, b]: readonly [number, number],
  change: (configuration: string) => string = (configuration) => configuration,
) {
  const configuration = readFileSync(workspacePath('deploy/haproxy/haproxy.cfg'), 'utf8');
  const client = new HttpClient({ baseUrl: `https://127.0.0.1:${port}`, ca: TEST_CERTIFICATE.cert });
  return await site.run(
    {
      name: 'haproxy',
      command: programPath('haproxy', 'haproxy'),
      args: ['-db', '-f', site.file('haproxy.cfg', change(configuration))],
      cwd: site.folder,
      env: {
        HTTPS_BIND: `127.0.0.1:${port}`,
        TLS_PEM: site.file('proxy.pem', TEST_CERTIFICATE.cert + TEST_CERTIFICATE.key),
        INSTANCE_A: `127.0.0.1:${a}`,
        INSTANCE_B: `127.0.0.1:${b}`,
      },
    },
    async () => (await client.get('/health/live', ['Connection', 'close'])).status === 200,
  );
}
