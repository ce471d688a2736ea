import { FaultServer, refusal, type Fault, type PlainAnswer } from '@items/testing';

import { clientOf, failureOf } from './testing/client-under-test.testing.js';
import { ConflictError, ItemsApiError, ItemsNetworkError, RateLimitError, ServerError } from './index.js';

const answered = (answer: PlainAnswer): Fault => ({ kind: 'answer', answer });
const status = (code: number, headers = {}): Fault => answered(refusal(code, 'rate_limited', headers));
const RESET: Fault = { kind: 'reset', done: false, afterBytes: 0 };
const HTML = { headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' };

let server: FaultServer;
beforeAll(async () => (server = await FaultServer.start()));
afterAll(() => server.stop());
beforeEach(() => server.setPlan(() => undefined));

describe('Seed specification §8: a client backs off exponentially', () => {
  it('waits 1, 2 and 4 s, then gives up with the last error', async () => {
    server.setPlan(() => status(503));
    const { client, sleeps } = clientOf(server);
    await expect(client.items.page()).rejects.toThrow(ServerError);
    expect(sleeps).toEqual([1000, 2000, 4000]);
    expect(server.requests).toHaveLength(4);
  });

  it('shortens each wait by up to half, at random', async () => {
    server.setPlan(() => status(503));
    const { client, sleeps } = clientOf(server, { retry: { random: () => 0.99 } });
    await failureOf(client.items.page());
    expect(sleeps.map(Math.round)).toEqual([505, 1010, 2020]);
  });

  it('waits no longer than maxDelayMs', async () => {
    server.setPlan(() => status(503));
    const { client, sleeps } = clientOf(server, { retry: { attempts: 5, maxDelayMs: 3000 } });
    await failureOf(client.items.page());
    expect(sleeps).toEqual([1000, 2000, 3000, 3000]);
  });

  it.each([429, 502, 503, 504])('retries after %d', async (code) => {
    server.fail(status(code));
    await expect(clientOf(server).client.items.page()).resolves.toMatchObject({ items: expect.any(Array) });
    expect(server.requests).toHaveLength(2);
  });

  it.each([502, 503, 504])('retries after a page of a proxy with %d', async (code) => {
    server.fail(answered({ status: code, ...HTML }));
    await expect(clientOf(server).client.items.page()).resolves.toBeDefined();
  });

  it.each([400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 500])('does not retry after %d', async (code) => {
    server.setPlan(() => answered(refusal(code, 'some_code')));
    const error = await failureOf(clientOf(server).client.items.get('x'));
    expect(error).toMatchObject({ status: code, code: 'some_code' });
    expect(server.requests).toHaveLength(1);
  });

  it('retries after a reset', async () => {
    server.fail(RESET, RESET, RESET);
    await expect(clientOf(server).client.items.page()).resolves.toBeDefined();
    expect(server.requests).toHaveLength(4);
  });

  it('retries after a timeout, which does not use sleep', async () => {
    server.fail({ kind: 'stall', done: false, afterBytes: 20 });
    const { client, sleeps } = clientOf(server, { timeoutMs: 50 });
    await expect(client.items.page()).resolves.toBeDefined();
    expect(sleeps).toEqual([1000]);
  });

  it('reports the cause of the last network error', async () => {
    server.setPlan(() => RESET);
    const error = await failureOf(clientOf(server).client.items.page());
    expect(error).toBeInstanceOf(ItemsNetworkError);
    expect(error.cause).toBeDefined();
    expect(error.message).toMatch(/^No whole answer to GET \/items: .+\.$/);
  });

  it('attempts: 1 means one request', async () => {
    server.fail(status(503));
    await expect(clientOf(server, { retry: { attempts: 1 } }).client.items.page()).rejects.toThrow(ServerError);
  });
});

describe('Seed specification §8: a client honours Retry-After', () => {
  it('Retry-After in seconds replaces the backoff', async () => {
    server.fail(status(429, { 'retry-after': '7' }), status(503));
    const { client, sleeps } = clientOf(server);
    await client.items.page();
    expect(sleeps).toEqual([7000, 2000]);
  });

  it('Retry-After may be a date', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 22, 9, 0, 0));
    server.fail(status(503, { 'retry-after': 'Sun, 22 Nov 2026 09:00:09 GMT' }));
    const { client, sleeps } = clientOf(server);
    await client.items.page().finally(() => now.mockRestore());
    expect(sleeps).toEqual([9000]);
  });

  it.each([
    ['0', 0],
    ['Sun, 22 Nov 2020 09:00:00 GMT', 0],
    ['soon', 1000],
    ['-5', 1000],
    ['', 1000],
  ])('%j means a wait of %d ms', async (value, ms) => {
    server.fail(status(429, { 'retry-after': value }));
    const { client, sleeps } = clientOf(server);
    await client.items.page();
    expect(sleeps).toEqual([ms]);
  });

  it('Retry-After counts even if a proxy truncates the page', async () => {
    const page = { status: 503, headers: { 'retry-after': '3', 'content-length': '99' }, body: '<htm' };
    server.fail(answered(page));
    const { client, sleeps } = clientOf(server);
    await client.items.page();
    expect(sleeps).toEqual([3000]);
  });

  it.each(['31', '99999999999999999999'])(
    'a Retry-After of %s s, beyond maxDelayMs, fails immediately, and the message contains the time',
    async (value) => {
      server.fail(status(429, { 'retry-after': value }));
      const { client, sleeps } = clientOf(server);
      const error = await failureOf(client.items.page());
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error['retryAfterSeconds']).toBe(Number(value));
      expect(error.message).toContain(`Try again in ${String(Number(value))} s`);
      expect([sleeps, server.requests.length]).toEqual([[], 1]);
    },
  );
});

describe('SPEC §4.4: POST is repeated with its Idempotency-Key', () => {
  it('a retry has the same key and body, so that one item is created', async () => {
    const before = server.service.writes;
    server.fail({ kind: 'reset', done: true, afterBytes: 30 }, status(502), RESET);
    const item = await clientOf(server).client.items.create({ name: 'Mug' });
    expect(item.name).toBe('Mug');
    expect(server.service.writes - before).toBe(1);
    expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(server.requests.map(({ body }) => body)).size).toBe(1);
  });

  it('has a new key for each call, unless the caller passes one', async () => {
    const { client } = clientOf(server);
    await client.items.create({ name: 'a' });
    await client.items.create({ name: 'a' });
    await client.items.create({ name: 'a' }, { idempotencyKey: 'mine' });
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  it('retries while the first request is in flight', async () => {
    server.fail(answered(refusal(409, 'idempotency_key_in_flight')));
    const { client, sleeps } = clientOf(server);
    await expect(client.items.create({ name: 'Mug' })).resolves.toMatchObject({ name: 'Mug' });
    expect(sleeps).toEqual([1000]);
  });

  it('gives up on any other 409', async () => {
    server.fail(answered(refusal(409, 'secret_not_replayable')));
    await expect(clientOf(server).client.items.create({ name: 'Mug' })).rejects.toThrow(ConflictError);
  });
});

describe('a signal', () => {
  it.each(['client', 'call'] as const)('the signal of the %s ends a wait', async (whose) => {
    const controller = new AbortController();
    const { signal } = controller;
    server.setPlan(() => status(503));
    const sleep = (): Promise<void> => {
      controller.abort(new Error('enough'));
      return new Promise(() => undefined);
    };
    const { client } = clientOf(server, { retry: { sleep }, ...(whose === 'client' ? { signal } : {}) });
    await expect(client.items.page({}, whose === 'call' ? { signal } : {})).rejects.toThrow('enough');
    expect(server.requests).toHaveLength(1);
  });

  it('ends a running request, which is not sent again', async () => {
    const controller = new AbortController();
    server.setPlan(() => {
      controller.abort(new Error('enough'));
      return { kind: 'stall', done: false, afterBytes: 0 };
    });
    const { client } = clientOf(server);
    await expect(client.items.page({}, { signal: controller.signal })).rejects.toThrow('enough');
    expect(server.requests).toHaveLength(1);
  });

  it('a signal that has aborted before sends nothing', async () => {
    const { client } = clientOf(server, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(client.items.create({ name: 'Mug' })).rejects.toThrow('enough');
    expect(server.requests).toHaveLength(0);
  });
});

describe('paceByQuota', () => {
  const left = (remaining: number, reset: number): Fault =>
    answered({
      status: 200,
      headers: { 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': String(reset) },
      body: { items: [] },
    });

  it.each([
    [true, [5000]],
    [false, []],
  ])('%j: waits %j for the reset of a quota that is used up', async (paceByQuota, expected) => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
    server.fail(left(1, 5));
    const { client, sleeps } = clientOf(server, { paceByQuota });
    for (let calls = 0; calls < 3; calls += 1) await client.items.page();
    now.mockRestore();
    expect(sleeps).toEqual(expected);
  });

  it('sends the request if the reset is beyond maxDelayMs', async () => {
    server.fail(left(0, 31));
    const { client, sleeps } = clientOf(server, { paceByQuota: true });
    await client.items.page();
    await client.items.page();
    expect(sleeps).toEqual([]);
  });
});

describe('a response that does not come from the service', () => {
  it.each([200, 403, 404, 500])('an HTML page with %d throws a readable error', async (code) => {
    server.setPlan(() => answered({ status: code, ...HTML }));
    const error = await failureOf(clientOf(server).client.items.page());
    expect(error).toBeInstanceOf(ItemsApiError);
    expect(error).toMatchObject({ status: code, code: 'unexpected_response' });
    expect(error.message).toContain('text/html');
    expect(server.requests).toHaveLength(1);
  });

  it('a list without its rows throws an error', async () => {
    server.setPlan(() => answered({ status: 200, body: {} }));
    expect(await failureOf(clientOf(server).client.items.page())).toMatchObject({ code: 'unexpected_response' });
  });
});
