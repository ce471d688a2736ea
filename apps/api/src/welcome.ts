/** Returns the text that the terminal shows after the start. @param url where the service listens. */
export function welcome(url: string): string {
  const { BASE_URL = url.replace('127.0.0.1', 'localhost'), CONSOLE } = process.env;
  return [
    `Listening on ${url}`,
    ...(CONSOLE === 'off' ? [] : [`Console:       ${BASE_URL}/console`]),
    `Documentation: ${BASE_URL}/docs`,
    `Try it:        export ADMIN_API_KEY=…   (the key that the first start printed)`,
    `               curl -H "X-API-Key: $ADMIN_API_KEY" ${BASE_URL}/items`,
    'Sample data:   npm run seed',
    'Read on:       README.md has the first five minutes, docs/running.md all settings',
    '',
  ].join('\n');
}
