import type { Config } from '../../runtime/config/config.js';

/**
 * Returns the text that the terminal shows after the start.
 * @param made the admin key, if this start generated it.
 */
export function welcome(
  { baseUrl, port, console }: Pick<Config, 'baseUrl' | 'port' | 'console'>,
  url: string,
  made?: string,
): string {
  // The base URL contains the configured port. The actual port replaces port 0.
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
