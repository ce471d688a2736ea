import type { Config } from '../../runtime/config/config.js';

/**
 * What a person at the terminal reads when the service has started.
 * @param made The admin key, if this start has made it.
 */
export function welcome(
  { baseUrl, port, console }: Pick<Config, 'baseUrl' | 'port' | 'console'>,
  url: string,
  made?: string,
): string {
  // A base URL was made from the port, and port 0 is known only now.
  const address = port === 0 ? url : baseUrl;
  const key = made ?? '…   (the key that the first start printed)';
  return [
    `Listening on ${url}`,
    ...(console ? [`Console:       ${address}/console`] : []),
    `Documentation: ${address}/docs`,
    `Try it:        export ADMIN_API_KEY=${key}`,
    `               curl -H "X-API-Key: $ADMIN_API_KEY" ${address}/items`,
    'Sample data:   npm run seed',
    'Read on:       README.md has the first five minutes, docs/running.md all settings',
    '',
  ].join('\n');
}
