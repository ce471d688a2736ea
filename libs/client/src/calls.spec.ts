import { FaultServer, ModelTokens, refusal } from '@items/testing';

import { etagOf, NotFoundError, type ItemsClient } from './index.js';
import { clientOf, failureOf } from './testing/client-under-test.testing.js';

let server: FaultServer;
let client: ItemsClient;
let id: string;
beforeAll(async () => (server = await FaultServer.start()));
afterAll(() => server.stop());
beforeEach(async () => {
  server.setPlan(() => undefined);
  ({ client } = clientOf(server));
  ({ id } = await client.items.create({ name: 'Mug', price: 1 }));
  server.setPlan(() => undefined);
});

describe('withResponse', () => {
  it('returns the data, its ETag, the status and the headers, with one request', async () => {
    const { data, etag, response } = await client.items.get(id).withResponse();
    expect(data).toMatchObject({ id, name: 'Mug' });
    expect([etag, response.status, response.headers.get('content-type')]).toEqual(['"v1"', 200, 'application/json']);
    expect(server.requests).toHaveLength(1);
  });

  it('returns an ETag that fits a copy of the data', async () => {
    const { data, etag } = await client.items.get(id).withResponse();
    await client.items.replace(id, { ...data, price: 2 }, { ifMatch: etag });
    expect(server.requests.at(-1)?.headers['if-match']).toBe('"v1"');
  });

  const { username, password } = ModelTokens;
  const calls: readonly { name: string; call: () => { withResponse(): Promise<unknown> } }[] = [
    { name: 'create', call: () => client.items.create({ name: 'Cup' }) },
    { name: 'replace', call: () => client.items.replace(id, { name: 'Cup' }) },
    { name: 'update', call: () => client.items.update(id, (item) => item) },
    { name: 'delete', call: () => client.items.delete(id) },
    { name: 'page', call: () => client.items.page({ limit: 1 }) },
    { name: 'sessions.create', call: () => client.sessions.create({ username, password }) },
  ];
  it.each(calls)('exists on $name', async ({ call }) => {
    const whole = await call().withResponse();
    expect(whole).toMatchObject({ response: { status: expect.any(Number), headers: expect.any(Headers) } });
  });

  const answered: readonly { name: string; body: object; call: () => { withResponse(): Promise<unknown> } }[] = [
    { name: 'users.me', body: {}, call: () => client.users.me() },
    {
      name: 'users.setPassword',
      body: {},
      call: () => client.users.setPassword({ current_password: 'a', password: 'b' }),
    },
    { name: 'orders.transition', body: {}, call: () => client.orders('me').transition('o', 'confirmed') },
    { name: 'apiKeys.rotate', body: {}, call: () => client.apiKeys.rotate('k') },
    { name: 'events.list', body: { events: [], after: 'a' }, call: () => client.events.list() },
    { name: 'events.get', body: {}, call: () => client.events.get('e') },
  ];
  it.each(answered)('returns the headers of $name', async ({ body, call }) => {
    server.setPlan(() => ({ kind: 'answer', answer: { status: 200, headers: { 'x-seen': 'yes' }, body } }));
    const { response } = (await call().withResponse()) as { response: { headers: Headers } };
    expect(response.headers.get('x-seen')).toBe('yes');
  });

  it('rejects as the call does, and leaves no rejection unhandled', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): unknown => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      await expect(client.items.get('unknown').withResponse()).rejects.toThrow(NotFoundError);
      await expect(client.items.get('unknown')).rejects.toThrow(NotFoundError);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
  });
});

describe('etagOf', () => {
  it('is the ETag of the result of a call', async () => {
    expect(etagOf(await client.items.get(id))).toBe('"v1"');
    expect(etagOf(await client.items.replace(id, { name: 'Cup' }))).toBe('"v2"');
    expect(etagOf(await client.items.update(id, (item) => ({ ...item, price: 3 })))).toBe('"v3"');
  });

  it('is undefined if the response had no ETag', async () => {
    server.setPlan(() => ({ kind: 'answer', answer: { status: 200, body: { id } } }));
    expect(etagOf(await client.items.get(id))).toBeUndefined();
    expect((await client.items.get(id).withResponse()).etag).toBeUndefined();
  });

  it.each([
    { name: 'a copy', make: async () => ({ ...(await client.items.get(id)) }) },
    { name: 'a structured clone', make: async () => structuredClone(await client.items.get(id)) },
    { name: 'a row of a page', make: async () => (await client.items.page()).items[0]! },
    { name: 'a row of a walk', make: async () => (await client.items.walk().next()).value as object },
    { name: 'nothing', make: () => Promise.resolve(undefined as unknown as object) },
  ])('throws for $name and names the call to use', async ({ make }) => {
    const made = await make();
    expect(() => etagOf(made)).toThrow(TypeError);
    expect(() => etagOf(made)).toThrow(/get\(id\) or \.withResponse\(\)/);
  });
});

describe('ifMatch: undefined', () => {
  it.each([
    { name: 'replace', call: () => client.items.replace(id, { name: 'Cup' }, { ifMatch: undefined }) },
    { name: 'delete', call: () => client.items.delete(id, { ifMatch: undefined }) },
    { name: 'an empty ifMatch', call: () => client.items.delete(id, { ifMatch: '' }) },
  ])('rejects before anything is sent ($name)', async ({ call }) => {
    const error = await failureOf(call());
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain('ifMatch');
    expect(server.requests).toHaveLength(0);
  });

  it('differs from an omitted ifMatch, which is unconditional', async () => {
    await client.items.replace(id, { name: 'Cup' }, {});
    await client.items.delete(id);
    expect(server.requests.map(({ headers }) => headers['if-match'])).toEqual([undefined, undefined]);
  });
});

describe('update with endless 412 responses', () => {
  it('reads and writes 30 times, with pauses that grow', async () => {
    server.setPlan(({ method }) =>
      method === 'PUT' ? { kind: 'answer', answer: refusal(412, 'precondition_failed') } : undefined,
    );
    const { client, sleeps } = clientOf(server);
    const error = await failureOf(client.items.update(id, (item) => item));
    expect(error).toMatchObject({ name: 'PreconditionFailedError', code: 'precondition_failed' });
    const count = (method: string): number => server.requests.filter((request) => request.method === method).length;
    expect([count('GET'), count('PUT'), sleeps.length]).toEqual([30, 30, 29]);
    expect([sleeps[0], sleeps.every((ms, index) => index === 0 || ms > sleeps[index - 1]!)]).toEqual([10, true]);
    expect(sleeps.reduce((sum, ms) => sum + ms)).toBeLessThan(30_000);
  });

  it('has jitter, and ends with the signal', async () => {
    server.setPlan(({ method }) =>
      method === 'PUT' ? { kind: 'answer', answer: refusal(412, 'precondition_failed') } : undefined,
    );
    const controller = new AbortController();
    const sleeps: number[] = [];
    const sleep = (ms: number): Promise<unknown> => {
      sleeps.push(ms);
      controller.abort(new Error('enough'));
      return new Promise(() => undefined);
    };
    const { client } = clientOf(server, { retry: { random: () => 0.5, sleep } });
    const call = client.items.update(id, (item) => item, { signal: controller.signal });
    await expect(call).rejects.toThrow('enough');
    expect(sleeps).toEqual([7.5]);
  });

  it('does not read more often if responses to its writes are lost as well', async () => {
    server.setPlan(({ method }, index) => {
      if (method !== 'PUT') return undefined;
      return index % 7 === 0
        ? { kind: 'reset', done: false, afterBytes: 0 }
        : { kind: 'answer', answer: refusal(412, 'precondition_failed') };
    });
    await failureOf(client.items.update(id, (item) => ({ ...item, price: 9 })));
    expect(server.requests.filter(({ method }) => method === 'GET').length).toBeLessThanOrEqual(30);
  });
});
