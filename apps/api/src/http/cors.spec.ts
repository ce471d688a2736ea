import { rawExchange, type Answer } from '@items/testing';

import { TestApp } from './test-app.testing.js';

const PAGE = 'https://page.example';

async function ask(app: TestApp, method: string, headers: string): Promise<Answer> {
  const { answer } = await rawExchange(app.port, `${method} /things HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

const corsHeaders = (answer: Answer) => answer.headers.filter(([name]) => /^(access-control|vary)/i.test(name));

describe('CORS is off unless the origin stands in CORS_ORIGINS (SPEC §1.2)', () => {
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

    it.each(['GET', 'POST', 'PATCH'])('%s tells its page the headers it may read', async (method) => {
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
      'tells nothing to %p, but for Vary',
      async (origin) => {
        expect(corsHeaders(await ask(app, 'GET', origin))).toEqual([['vary', 'Origin']]);
      },
    );

    it('answers a preflight without a credential', async () => {
      const answer = await ask(app, 'OPTIONS', `Origin: ${PAGE}\r\nAccess-Control-Request-Method: POST\r\n`);
      expect(answer.status).toBe(204);
      expect(answer.header('access-control-allow-methods')).toBe('GET, HEAD, POST, OPTIONS');
      expect(answer.header('access-control-allow-headers')).toContain('X-API-Key');
      expect(answer.header('access-control-allow-credentials')).toBeUndefined();
    });
  });
});
