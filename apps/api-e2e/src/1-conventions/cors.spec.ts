import { HttpClient, startApp, type Answer, type RunningApp } from '@items/testing';

import { admin, anonymous } from '../harness/clients.js';
import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';

const ORIGIN = 'https://shop.example';
const EXPOSED = [
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'Idempotent-Replayed',
  'Api-Version',
  'X-Request-Id',
  'Deprecation',
  'Sunset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

function corsHeaders(answer: Answer): string[] {
  return answer.headers.map(([name]) => name.toLowerCase()).filter((name) => name.startsWith('access-control-'));
}

function list(value: string | undefined): string[] {
  return (value ?? '').toLowerCase().split(/\s*,\s*/);
}

describe('§1 CORS is off unless the origin is configured', () => {
  it('a response to an unknown origin shares nothing', async () => {
    for (const origin of [ORIGIN, 'null', 'http://localhost']) {
      expect(corsHeaders(await admin.get('/items', ['Origin', origin]))).toEqual([]);
    }
  });

  it('a preflight of an unknown origin reveals nothing', async () => {
    const preflight = await anonymous.send('OPTIONS', '/items', {
      headers: [
        ['Origin', ORIGIN],
        ['Access-Control-Request-Method', 'POST'],
      ],
    });
    expect(preflight.status).toBe(204);
    expect(corsHeaders(preflight)).toEqual([]);
  });
});

describeStartedOnce('§1 CORS_ORIGINS', () => {
  let app: RunningApp;
  let client: HttpClient;

  beforeAll(async () => {
    const env = { CORS_ORIGINS: `${ORIGIN},https://other.example`, CORS_HEADERS: 'X-Tenant, x-device' };
    app = await startApp({ database: databaseUnderTest(), env });
    client = new HttpClient({ baseUrl: app.baseUrl });
  });
  afterAll(() => app.stop());

  it('a response, also an error, to a configured origin names the origin and exposes the headers', async () => {
    for (const headers of [[['X-API-Key', app.adminKey]], []] as const) {
      const answer = await client.send('GET', '/items', { headers: [['Origin', ORIGIN], ...headers] });
      expect(answer.header('access-control-allow-origin')).toBe(ORIGIN);
      expect(list(answer.header('access-control-expose-headers'))).toEqual(
        expect.arrayContaining(EXPOSED.map((name) => name.toLowerCase())),
      );
      expect(list(answer.header('vary'))).toContain('origin');
    }
  });

  it('a preflight carries no credential, and allows methods and headers', async () => {
    const answer = await client.send('OPTIONS', '/items', {
      headers: [
        ['Origin', ORIGIN],
        ['Access-Control-Request-Method', 'POST'],
        ['Access-Control-Request-Headers', 'x-api-key, content-type, idempotency-key'],
      ],
    });
    expect(answer.status).toBe(204);
    expect(answer.header('access-control-allow-origin')).toBe(ORIGIN);
    expect(list(answer.header('access-control-allow-methods'))).toContain('post');
    expect(list(answer.header('access-control-allow-headers'))).toEqual(
      expect.arrayContaining(['x-api-key', 'content-type', 'idempotency-key']),
    );
    expect(answer.header('access-control-allow-credentials')).toBeUndefined();
  });

  it('allows the headers of tracing, and those of CORS_HEADERS', async () => {
    const answer = await client.send('OPTIONS', '/items', {
      headers: [
        ['Origin', ORIGIN],
        ['Access-Control-Request-Method', 'GET'],
      ],
    });
    expect(list(answer.header('access-control-allow-headers'))).toEqual(
      expect.arrayContaining(['traceparent', 'tracestate', 'baggage', 'sentry-trace', 'x-tenant', 'x-device']),
    );
  });

  it.each(['https://shop.example.evil.example', 'http://shop.example', 'https://evil.example', 'null'])(
    'another origin gets nothing: %s',
    async (origin) => {
      const answer = await client.send('GET', '/items', {
        headers: [
          ['Origin', origin],
          ['X-API-Key', app.adminKey],
        ],
      });
      expect(answer.status).toBe(200);
      expect(answer.header('access-control-allow-origin')).toBeUndefined();
    },
  );
});
