import type { RunningService } from '@items/service';

/** The terminal shows this text after the start. */
export function welcome({ app, url }: RunningService): string {
  const address = url.replace('127.0.0.1', 'localhost');
  const hasConsole = app.getHttpAdapter().getInstance().hasRoute({ method: 'GET', url: '/console' });
  return [
    `Listening on ${url}`,
    ...(hasConsole ? [`Console:       ${address}/console`] : []),
    `Documentation: ${address}/docs`,
    `Try it:        export ADMIN_API_KEY=…   (the key that the first start printed)`,
    `               curl -H "X-API-Key: $ADMIN_API_KEY" ${address}/items`,
    'Sample data:   npm run seed',
    'Read on:       README.md has the first five minutes, docs/running.md all settings',
    '',
  ].join('\n');
}
