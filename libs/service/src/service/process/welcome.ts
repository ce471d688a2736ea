import type { Config } from '../../runtime/config/config.js';

/** What a person at the terminal reads when the service has started. */
export function welcome({ baseUrl, port }: Pick<Config, 'baseUrl' | 'port'>, url: string): string {
  // A base URL was made from the port, and port 0 is known only now.
  const address = port === 0 ? url : baseUrl;
  return [
    `Listening on ${url}`,
    `Documentation: ${address}/docs`,
    'Try it:        export ADMIN_API_KEY=…   (the key that the first start printed)',
    `               curl -H "X-API-Key: $ADMIN_API_KEY" ${address}/items`,
    'Read on:       README.md has the first five minutes, docs/running.md all settings',
    '',
  ].join('\n');
}
