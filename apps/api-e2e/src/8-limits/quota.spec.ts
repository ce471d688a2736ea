import { moveClock, movableClock } from '../harness/movable-clock.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { describeStarted } from '../harness/service.js';
import { QuotaService, quotaOf, tally } from '../harness/quotas.js';

describeStarted('§8 Rate limiting', () => {
  let service: QuotaService;

  beforeAll(async () => {
    service = await QuotaService.start({ ...movableClock, RATE_LIMIT: '200/30', RATE_LIMIT_ANONYMOUS: '5/30' });
  });
  afterAll(() => service.app.stop());

  it('RATE_LIMIT is the quota of a credential; headers give limit, remaining and reset', async () => {
    const client = await service.member(null);
    expect(quotaOf(await client.get('/items'))).toEqual({ limit: 200, remaining: 199, reset: 30 });
    expect(quotaOf(await client.get('/items'))).toMatchObject({ limit: 200, remaining: 198 });
  });

  it('When the quota is exceeded, the response is 429, with Retry-After', async () => {
    const client = await service.member({ requests: 3, seconds: 30 });
    for (const remaining of [2, 1, 0]) {
      const answer = await client.get('/items');
      expectStatus(answer, 200);
      expect(quotaOf(answer)).toMatchObject({ limit: 3, remaining });
    }
    const first = await client.get('/items');
    errorOf(first, 429);
    expect((await client.get('/items')).text).toBe(first.text);
    expect(Number(first.header('retry-after'))).toBeLessThanOrEqual(30);
  });

  it('A key may carry its own quota', async () => {
    const client = await service.member({ requests: 7, seconds: 100 });
    expect(quotaOf(await client.get('/items'))).toEqual({ limit: 7, remaining: 6, reset: 100 });
  });

  it('a fixed window starts with the first request; when it ends, the whole quota is available again', async () => {
    const client = await service.member({ requests: 2, seconds: 40 });
    await moveClock(service.app, 10);
    expect(quotaOf(await client.get('/items'))).toEqual({ limit: 2, remaining: 1, reset: 40 });
    await moveClock(service.app, 20);
    const second = quotaOf(await client.get('/items'));
    expect(second).toMatchObject({ limit: 2, remaining: 0 });
    expect(second.reset).toBeLessThanOrEqual(20);
    errorOf(await client.get('/items'), 429);
    await moveClock(service.app, 20);
    expect(quotaOf(await client.get('/items'))).toEqual({ limit: 2, remaining: 1, reset: 40 });
  });

  it('a client that waits for Retry-After is served', async () => {
    const client = await service.member({ requests: 1, seconds: 20 });
    await client.get('/items');
    const refused = await client.get('/items');
    errorOf(refused, 429);
    await moveClock(service.app, Number(refused.header('retry-after')));
    expectStatus(await client.get('/items'), 200);
  });

  it('refused requests do not lengthen the window', async () => {
    const client = await service.member({ requests: 1, seconds: 20 });
    await client.get('/items');
    for (let second = 1; second < 10; second += 1) {
      await moveClock(service.app, 1);
      errorOf(await client.get('/items'), 429);
    }
    await moveClock(service.app, 11);
    expectStatus(await client.get('/items'), 200);
  });

  it('exactly N pass in a window for any number of racing connections', async () => {
    const client = await service.member({ requests: 50, seconds: 60 });
    const answers = await Promise.all(Array.from({ length: 200 }, () => client.get('/items?per_page=1')));
    expect(tally(answers)).toEqual({ 200: 50, 429: 150 });
    const remaining = answers.filter((answer) => answer.status === 200).map((answer) => quotaOf(answer).remaining);
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it('per credential: another credential is not affected', async () => {
    const [one, other] = [await service.member({ requests: 1, seconds: 30 }), await service.member(null)];
    await one.get('/items');
    errorOf(await one.get('/items'), 429);
    expectStatus(await other.get('/items'), 200);
  });

  it('all routes share it, for any status', async () => {
    const client = await service.member({ requests: 8, seconds: 30 });
    const answers = [
      await client.get('/items'),
      await client.get('/items/x'),
      await client.head('/items'),
      await client.post('/items', { name: '' }),
      await client.get('/items?foo=1'),
      await client.get('/api-keys'),
      await client.get('/nothing'),
      await client.send('PATCH', '/items'),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 404, 200, 422, 400, 403, 404, 405]);
    expect(answers.map((answer) => quotaOf(answer).remaining)).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
    errorOf(await client.get('/items'), 429);
  });

  it('a flood of malformed bodies is counted and limited like any other', async () => {
    const client = await service.member({ requests: 5, seconds: 30 });
    const flood = { body: '{"name":', headers: [['Content-Type', 'application/json']] as const };
    const answers = [];
    for (let i = 0; i < 8; i += 1) answers.push(await client.send('POST', '/items', flood));
    expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
  });

  it('429 comes before 403, after 404 and 405', async () => {
    const client = await service.member({ requests: 1, seconds: 30 }, ['items:read']);
    await client.get('/items');
    errorOf(await client.post('/items', { name: 'Lamp' }), 429);
    errorOf(await client.get('/nothing'), 404);
    errorOf(await client.send('PATCH', '/items'), 405);
    expectStatus(await client.send('OPTIONS', '/items'), 204);
    errorOf(await client.get('/items?api_key=x'), 400);
  });

  it('a quota can be raised for a key in use', async () => {
    const answer = await service.withKey(service.app.adminKey).post('/api-keys', {
      name: 'Key',
      scopes: ['items:read'],
      rate_limit: { requests: 1, seconds: 30 },
    });
    const { id, key } = answer.json() as { id: string; key: string };
    const client = service.withKey(key);
    await client.get('/items');
    errorOf(await client.get('/items'), 429);
    const raised = { name: 'Key', rate_limit: { requests: 10, seconds: 30 } };
    expectStatus(await service.withKey(service.app.adminKey).put(`/api-keys/${id}`, raised), 200);
    expectStatus(await client.get('/items'), 200);
  });
});
