import { HttpClient, rawExchange, withMovableClock, type Answer } from '@items/testing';

import { TestApp } from '../testing/test-app.testing.js';

const PAGE = 'https://page.example';

async function ask(app: TestApp, method: string, headers: string): Promise<Answer> {
  const { answer } = await rawExchange(app.port, `${method} /things HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

const corsHeaders = (answer: Answer) => answer.headers.filter(([name]) => /^(access-control|vary)/i.test(name));

describe('CORS is off unless CORS_ORIGINS lists the origin (SPEC §1.2)', () => {
  it('is off by default', async () => {
    const app = await TestApp.start();
    const answers = [
      await ask(app, 'GET', `Origin: ${PAGE}\r\n`),
      await ask(app, 'OPTIONS', `Origin: ${PAGE}\r\nAccess-Control-Request-Method: POST\r\n`),
    ];
    await app.close();
    expect(answers.flatMap(corsHeaders)).toEqual([]);
  });

  describe('with an origin', () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await TestApp.start({ CORS_ORIGINS: PAGE });
    });
    afterAll(() => app.close());

    it.each(['GET', 'POST', 'PATCH'])('%s lists the headers that its page may read', async (method) => {
      const answer = await ask(app, method, `Origin: ${PAGE}\r\n`);
      expect(answer.header('access-control-allow-origin')).toBe(PAGE);
      expect(answer.header('vary')).toBe('Origin');
      expect(answer.header('access-control-expose-headers')?.split(', ').sort()).toEqual(
        expect.arrayContaining([
          'Api-Version',
          'ETag',
          'Idempotent-Replayed',
          'Link',
          'Location',
          'Retry-After',
          'X-Request-Id',
        ]),
      );
    });

    it.each(['Origin: https://other.example\r\n', 'Origin: null\r\n', `Origin: ${PAGE}.evil.example\r\n`, ''])(
      'sets no header but Vary for %p',
      async (origin) => {
        expect(corsHeaders(await ask(app, 'GET', origin))).toEqual([['vary', 'Origin']]);
      },
    );

    it('allows a preflight without a credential', async () => {
      const answer = await ask(app, 'OPTIONS', `Origin: ${PAGE}\r\nAccess-Control-Request-Method: POST\r\n`);
      expect(answer.status).toBe(204);
      expect(answer.header('access-control-allow-methods')).toBe('GET, HEAD, POST, OPTIONS');
      expect(answer.header('access-control-allow-headers')).toContain('X-API-Key');
      expect(answer.header('access-control-allow-credentials')).toBeUndefined();
    });
  });
});

describe('A preflight is counted in no quota (SPEC §1.2)', () => {
  const PREFLIGHT = `Origin: ${PAGE}\r\nAccess-Control-Request-Method: POST\r\n`;
  let app: TestApp;
  beforeEach(async () => {
    app = await TestApp.start({ CORS_ORIGINS: PAGE });
  });
  afterEach(() => app.close());

  it.each([PREFLIGHT, PREFLIGHT.replace(PAGE, 'https://other.example'), `${PREFLIGHT}X-API-Key: x\r\n`])(
    'a preflight has no headers of a quota: %j',
    async (headers) => {
      const answer = await ask(app, 'OPTIONS', headers);
      expect(answer.status).toBe(204);
      expect(answer.headers.filter(([name]) => /rate-?limit/i.test(name))).toEqual([]);
      expect(app.counted).toEqual([]);
    },
  );

  it.each(['', `Origin: ${PAGE}\r\n`, 'Access-Control-Request-Method: POST\r\n'])(
    'any other OPTIONS counts in the quota: %j',
    async (headers) => {
      const answer = await ask(app, 'OPTIONS', headers);
      expect([answer.status, answer.header('x-ratelimit-limit')]).toEqual([204, '60']);
      expect(app.counted).toEqual(['/things']);
    },
  );

  it.each(['GET', 'PATCH'])('%s with its headers is no preflight', async (method) => {
    const answer = await ask(app, method, PREFLIGHT);
    expect(answer.header('access-control-allow-methods')).toBeUndefined();
    expect(app.counted).toEqual(method === 'GET' ? [] : ['/things']);
  });

  it('preflights beyond 1 000 a second from one address get 503, until the next second', async () => {
    const client = new HttpClient({ baseUrl: `http://127.0.0.1:${String(app.port)}` });
    const preflight = (): Promise<Answer> =>
      client.send('OPTIONS', '/things', {
        headers: [
          ['Origin', PAGE],
          ['Access-Control-Request-Method', 'POST'],
        ],
      });
    await withMovableClock(async (pass) => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 40; turn += 1) {
        const answers = await Promise.all(Array.from({ length: 25 }, preflight));
        statuses.push(...answers.map(({ status }) => status));
      }
      expect(new Set(statuses)).toEqual(new Set([204]));
      const refused = await preflight();
      expect([refused.status, refused.header('retry-after')]).toEqual([503, '1']);
      expect(refused.json()).toMatchObject({ code: 'overloaded' });
      expect((await ask(app, 'OPTIONS', '')).status).toBe(204);
      pass(1000);
      expect((await preflight()).status).toBe(204);
    });
  });
});
