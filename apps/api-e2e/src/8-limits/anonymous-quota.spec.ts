import type { Header } from '@items/testing';

import { errorOf, expectStatus } from '../harness/reading.js';
import { describeStartedOnce } from '../harness/service.js';
import { QuotaService, quotaOf, tally } from '../harness/quotas.js';

/** An address of this host that no client of `stranger()` uses. */
const PROXY = '127.0.0.200';
const forwarded = (address: string): Header => ['X-Forwarded-For', address];

describeStartedOnce('§8 Requests without a valid credential: RATE_LIMIT_ANONYMOUS, per client address', () => {
  let service: QuotaService;

  beforeAll(async () => {
    const env = { RATE_LIMIT: '300/60', RATE_LIMIT_ANONYMOUS: '5/60', TRUST_PROXY: PROXY };
    service = await QuotaService.start(env);
  });
  afterAll(() => service.app.stop());

  it('a 401 has the headers for limit, remaining and reset, too', async () => {
    const stranger = service.stranger();
    const answer = await stranger.get('/items');
    errorOf(answer, 401);
    expect(quotaOf(answer)).toEqual({ limit: 5, remaining: 4, reset: 60 });
  });

  it('an address past its quota gets 429 instead of 401', async () => {
    const stranger = service.stranger();
    const answers = [];
    for (let i = 0; i < 7; i += 1) answers.push(await stranger.get('/items'));
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  it('another address is not affected', async () => {
    const stranger = service.stranger();
    for (let i = 0; i < 6; i += 1) await stranger.get('/items');
    errorOf(await stranger.get('/items'), 429);
    errorOf(await service.stranger().get('/items'), 401);
  });

  it('a request with a bad credential counts for its address', async () => {
    const stranger = service.stranger();
    const bad = ['x', 'itk_x', `itk_${'a'.repeat(49)}`, 'y', 'z', 'w', 'v'];
    const answers = [];
    for (const key of bad) answers.push(await stranger.get('/items', ['X-API-Key', key]));
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  it('exactly N pass for any number of racing connections', async () => {
    const stranger = service.stranger();
    const answers = await Promise.all(Array.from({ length: 60 }, () => stranger.get('/items')));
    expect(tally(answers)).toEqual({ 401: 5, 429: 55 });
  });

  it('a valid credential is never refused for its address', async () => {
    const stranger = service.stranger();
    for (let i = 0; i < 7; i += 1) await stranger.get('/items');
    const answer = await stranger.get('/items', ['X-API-Key', service.app.adminKey]);
    expectStatus(answer, 200);
    expect(quotaOf(answer).limit).toBe(300);
    errorOf(await stranger.get('/items'), 429);
  });

  it('a request with a valid key does not use up the quota of its address', async () => {
    const stranger = service.stranger();
    for (let i = 0; i < 7; i += 1) expectStatus(await stranger.get('/items', ['X-API-Key', service.app.adminKey]), 200);
    expect(quotaOf(await stranger.get('/items')).remaining).toBe(4);
  });

  it('CORS preflights are not counted, because all logins of an office share its address', async () => {
    const stranger = service.stranger();
    const headers: Header[] = [
      ['Origin', 'https://shop.example'],
      ['Access-Control-Request-Method', 'POST'],
    ];
    for (let i = 0; i < 70; i += 1) {
      const answer = await stranger.send('OPTIONS', '/sessions', { headers });
      expectStatus(answer, 204);
      expect(answer.headers.map(([name]) => name).filter((name) => /rate-?limit/i.test(name))).toEqual([]);
    }
    expect(quotaOf(await stranger.get('/items')).remaining).toBe(4);
  });

  it('404, 405 and OPTIONS are counted, and served even above the quota', async () => {
    const stranger = service.stranger();
    const seen = [];
    for (let i = 0; i < 3; i += 1) {
      seen.push((await stranger.get('/nothing')).status);
      seen.push((await stranger.send('PATCH', '/items')).status);
      seen.push((await stranger.send('OPTIONS', '/items')).status);
    }
    expect(seen).toEqual([404, 405, 204, 404, 405, 204, 404, 405, 204]);
    errorOf(await stranger.get('/items'), 429);
  });

  it('/health/* is exempt, and shows no quota', async () => {
    const stranger = service.stranger();
    for (let i = 0; i < 10; i += 1) {
      const answer = await stranger.get(i % 2 === 0 ? '/health/live' : '/health/ready');
      expectStatus(answer, 200);
      expect(answer.header('x-ratelimit-limit')).toBeUndefined();
    }
    expect(quotaOf(await stranger.get('/items')).remaining).toBe(4);
    for (let i = 0; i < 6; i += 1) await stranger.get('/items');
    expectStatus(await stranger.get('/health/ready'), 200);
  });

  it('proxy headers are trusted only from the addresses in TRUST_PROXY', async () => {
    const stranger = service.stranger();
    const answers = [];
    for (let i = 0; i < 7; i += 1) {
      answers.push(await stranger.get('/items', forwarded(`10.0.0.${i}`), ['Forwarded', `for=10.0.0.${i}`]));
    }
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  it('a trusted proxy names the address', async () => {
    const proxy = service.stranger().withOptions({ localAddress: PROXY });
    for (let i = 0; i < 5; i += 1) errorOf(await proxy.get('/items', forwarded('10.1.0.1')), 401);
    errorOf(await proxy.get('/items', forwarded('10.1.0.1')), 429);
    errorOf(await proxy.get('/items', forwarded('10.1.0.2')), 401);
    errorOf(await proxy.get('/items', forwarded('203.0.113.9, 10.1.0.1')), 429);
  });

  it.each([
    ['10.2.0.1', '10.2.0.1:5555'],
    ['2001:db8:2::1', '[2001:db8:2::1]:443'],
  ])('a trusted proxy may add the port: %s is %s', async (address, withPort) => {
    const proxy = service.stranger().withOptions({ localAddress: PROXY });
    expect(quotaOf(await proxy.get('/items', forwarded(address))).remaining).toBe(4);
    expect(quotaOf(await proxy.get('/items', forwarded(withPort))).remaining).toBe(3);
    expect(quotaOf(await proxy.get('/items', forwarded(`203.0.113.9, ${withPort}`))).remaining).toBe(2);
  });
});
