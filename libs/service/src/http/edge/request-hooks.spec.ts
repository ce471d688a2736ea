import { rawExchange, type Answer } from '@items/testing';

import { TestApp } from '../testing/test-app.testing.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.close());

async function send(target: string, method = 'GET', headers = ''): Promise<Answer> {
  const text = `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;
  const { answer } = await rawExchange(app.port, text, { bodiless: method === 'HEAD' });
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

describe('A method not supported on a URL returns 405 (SPEC §4 rule 3)', () => {
  it.each([
    ['PATCH', '/things', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/things/1', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/things', 'GET, HEAD, POST, OPTIONS'],
    ['PROPFIND', '/things?x=1', 'GET, HEAD, POST, OPTIONS'],
    ['PUT', '/%74hings', 'GET, HEAD, POST, OPTIONS'],
  ])('%s %s, with Allow: %s', async (method, target, allow) => {
    const answer = await send(target, method);
    expect(answer.status).toBe(405);
    expect(answer.header('allow')).toBe(allow);
    expect(answer.json()).toMatchObject({ code: 'method_not_allowed' });
  });
});

describe('OPTIONS 204 with Allow (SPEC §4.5)', () => {
  it.each([
    ['/things', 'GET, HEAD, POST, OPTIONS'],
    ['/things/1', 'GET, HEAD, OPTIONS'],
    ['*', 'GET, HEAD, POST, OPTIONS'],
  ])('%s', async (target, allow) => {
    const answer = await send(target, 'OPTIONS');
    expect([answer.status, answer.header('allow'), answer.text]).toEqual([204, allow, '']);
  });
});

describe('unknown paths return 404', () => {
  it.each(['/', '/nothing', '/things/1/2', '/things/', '//things', '/THINGS', '/things/1/', '/things%2F1'])(
    '%s, for any method',
    async (target) => {
      for (const method of ['GET', 'POST', 'OPTIONS', 'PATCH']) {
        const answer = await send(target, method);
        expect([method, answer.status]).toEqual([method, 404]);
        expect(answer.json()).toEqual({ error: 'There is no resource at this path.', code: 'route_not_found' });
      }
    },
  );

  it('are counted, as are 405 and OPTIONS', async () => {
    app.counted.length = 0;
    const answers = [
      await send('/nothing'),
      await send('/things/'),
      await send('/things', 'PATCH'),
      await send('/things', 'OPTIONS'),
    ];
    expect(app.counted).toEqual(['/nothing', '/things/', '/things', '/things']);
    expect(answers.map((answer) => answer.header('x-ratelimit-limit'))).toEqual(['60', '60', '60', '60']);
  });
});

describe('Every GET route has HEAD (SPEC §4.5)', () => {
  it('responds with the headers of GET and no body', async () => {
    const [get, head] = [await send('/things'), await send('/things', 'HEAD')];
    expect(head.status).toBe(200);
    expect([head.body.length, head.header('content-length')]).toEqual([0, String(get.body.length)]);
  });
});

describe('every response', () => {
  it.each([
    ['/things', 'GET', 200],
    ['/nothing', 'GET', 404],
    ['/things', 'PATCH', 405],
    ['/things', 'OPTIONS', 204],
    ['/things/%ZZ', 'GET', 400],
    ['/broken', 'GET', 500],
    ['/things', 'POST', 401],
  ])('%s %s has the general headers', async (target, method, status) => {
    const answer = await send(target, method, 'X-Request-Id: mine\r\nApi-Version: 1999-01-01\r\n');
    expect(answer.status).toBe(status);
    expect(answer.header('x-request-id')).toBe('mine');
    expect(answer.header('api-version')).toBe('2026-11-20');
    expect(answer.header('cache-control')).toBe('private, no-cache');
    expect(answer.header('x-content-type-options')).toBe('nosniff');
    expect(answer.header('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(answer.header('strict-transport-security')).toBeUndefined();
  });

  it('does not reveal an unhandled exception (SPEC §7)', async () => {
    const answer = await send('/broken');
    expect(answer.json()).toEqual({
      error: 'Internal server error. Quote the X-Request-Id when you report it.',
      code: 'internal_error',
    });
    expect(app.lines.join('')).toContain('a secret of the service');
  });

  it('believes only a trusted proxy about HTTPS (SPEC §8.1)', async () => {
    const trusting = await TestApp.start({ TRUST_PROXY: '127.0.0.1' });
    const text = 'GET /things HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\n\r\n';
    const [trusted, untrusted] = [await rawExchange(trusting.port, text), await rawExchange(app.port, text)];
    await trusting.close();
    expect(trusted.answer?.header('strict-transport-security')).toBe('max-age=31536000');
    expect(untrusted.answer?.header('strict-transport-security')).toBeUndefined();
  });
});

describe('ids of every odd shape reach the route', () => {
  it.each([
    ['%00', '\0'],
    ['%2F', '/'],
    ['a'.repeat(12_000), 'a'.repeat(12_000)],
    ['%C3%A9', 'é'],
    ['..%2f', '../'],
  ])('%s', async (encoded, id) => {
    expect((await send(`/things/${encoded}`)).json()).toEqual({ id });
  });
});
