import { FaultServer, refusal, type Fault } from '@items/testing';

import { etagOf, ItemsNetworkError, NotFoundError, PreconditionFailedError } from './index.js';
import { clientOf, failureOf } from './testing/client-under-test.testing.js';

const LOST: Fault = { kind: 'reset', done: true, afterBytes: 0 };
const UNSENT: Fault = { kind: 'reset', done: false, afterBytes: 0 };

let server: FaultServer;
let id: string;
beforeAll(async () => (server = await FaultServer.start()));
afterAll(() => server.stop());
beforeEach(async () => {
  server.setPlan(() => undefined);
  ({ id } = await clientOf(server).client.items.create({ name: 'Mug', color: 'red', price: 1 }));
});

const fieldsNow = (): unknown => server.service.rows.get(id)?.fields;
const methods = (): string => server.requests.map(({ method }) => method).join(' ');
/** A change by another client. */
const other = (fields: object): void => {
  const row = server.service.rows.get(id)!;
  server.service.rows.set(id, { ...row, version: row.version + 1, fields: { ...row.fields, ...fields } });
};
/** Causes a fault in the request with index `n`, and runs a function before the next request. */
const during = (n: number, fault: Fault | undefined, act: () => void): void =>
  server.setPlan((_, index) => {
    if (index === n + 1) act();
    return index === n ? fault : undefined;
  });

describe('a body', () => {
  it.each([
    ['price', NaN, { name: 'Cup', price: NaN }],
    ['price', Infinity, { name: 'Cup', price: Infinity }],
    ['weight', -Infinity, { name: 'Cup', price: 1, sizes: [{ weight: -Infinity }] }],
  ])('rejects %s = %d with a TypeError that names the field, and sends nothing', async (name, number, input) => {
    const { client } = clientOf(server);
    server.setPlan(() => undefined);
    const calls = [
      client.items.create(input),
      client.items.replace(id, input),
      client.collection('items').replace(id, { ...input }, { ifMatch: '"v1"' }),
    ];
    for (const call of calls) {
      expect(await failureOf(call)).toMatchObject({ name: 'TypeError', message: expect.stringContaining(`"${name}"`) });
      expect((await failureOf(call)).message).toContain(String(number));
    }
    expect(server.requests).toHaveLength(0);
    expect(await failureOf(client.items.update(id, (item) => ({ ...item, ...input })))).toBeInstanceOf(TypeError);
    expect(methods()).toBe('GET');
  });
});

describe('a tag that a proxy has weakened', () => {
  const weakening: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const headers = new Headers(response.headers);
    headers.set('etag', `W/${headers.get('etag') ?? ''}`);
    return new Response(response.body, { status: response.status, headers });
  };

  it('is strong again in etagOf, .withResponse() and If-Match', async () => {
    const { client } = clientOf(server, { fetch: weakening });
    const item = await client.items.get(id);
    expect(etagOf(item)).toBe('"v1"');
    expect((await client.items.get(id).withResponse()).etag).toBe('"v1"');
    await client.items.replace(id, { name: 'Cup' }, { ifMatch: etagOf(item) });
    await client.items.update(id, (current) => ({ ...current, name: 'Jug' }));
    expect(server.requests.at(-1)?.headers['if-match']).toBe('"v2"');
    expect(fieldsNow()).toMatchObject({ name: 'Jug' });
  });
});

describe('delete', () => {
  it('succeeds if a retry gets a 404', async () => {
    server.fail(LOST);
    await expect(clientOf(server).client.items.delete(id)).resolves.toBeUndefined();
    expect(methods()).toBe('DELETE DELETE');
  });

  it('fails if the first attempt gets a 404', async () => {
    await expect(clientOf(server).client.items.delete('unknown')).rejects.toThrow(NotFoundError);
  });

  it('honours ifMatch', async () => {
    const call = clientOf(server).client.items.delete(id, { ifMatch: '"v9"' });
    await expect(call).rejects.toThrow(PreconditionFailedError);
  });
});

describe('replace with ifMatch', () => {
  it('succeeds if its own first attempt has changed the ETag', async () => {
    const { client } = clientOf(server);
    const ifMatch = etagOf(await client.items.get(id));
    server.fail(LOST);
    await expect(client.items.replace(id, { name: 'Cup' }, { ifMatch })).resolves.toMatchObject({ name: 'Cup' });
    expect(methods()).toBe('PUT PUT GET');
  });

  it('fails if another client has changed the item', async () => {
    const { client } = clientOf(server);
    const ifMatch = etagOf(await client.items.get(id));
    during(0, UNSENT, () => other({ name: 'Jar' }));
    await expect(client.items.replace(id, { name: 'Cup' }, { ifMatch })).rejects.toThrow(PreconditionFailedError);
    expect(fieldsNow()).toMatchObject({ name: 'Jar' });
  });
});

describe('update', () => {
  const raise = (): Promise<unknown> =>
    clientOf(server).client.items.update(id, (item) => ({ ...item, price: (item.price ?? 0) + 1 }));

  it('reads and writes once without concurrent changes', async () => {
    server.setPlan(() => undefined);
    await expect(raise()).resolves.toMatchObject({ price: 2 });
    expect(methods()).toBe('GET PUT');
  });

  it('starts again after a 412, with the current state', async () => {
    during(0, undefined, () => other({ color: 'blue', price: 10 }));
    await raise();
    expect(fieldsNow()).toMatchObject({ color: 'blue', price: 11 });
    expect(methods()).toBe('GET PUT GET PUT');
  });

  it('compares after a lost response, and does not apply the change twice', async () => {
    server.fail(undefined, LOST);
    await expect(raise()).resolves.toMatchObject({ price: 2 });
    expect(methods()).toBe('GET PUT GET');
    expect(fieldsNow()).toMatchObject({ price: 2 });
  });

  it('compares after a 503 too, because the change may have been made', async () => {
    server.fail(undefined, { kind: 'answer', done: true, answer: refusal(503, 'unavailable') });
    await expect(raise()).resolves.toMatchObject({ price: 2 });
    expect(methods()).toBe('GET PUT GET');
  });

  it('applies the change again if it was not made', async () => {
    server.fail(undefined, UNSENT);
    await expect(raise()).resolves.toMatchObject({ price: 2 });
    expect(methods()).toBe('GET PUT GET PUT');
  });

  it.each([
    ['done', LOST, 'GET PUT GET'],
    ['not done', UNSENT, 'GET PUT GET PUT'],
  ])('is not confused by changes to other fields if its write was %s', async (_, fault, expected) => {
    during(1, fault, () => other({ color: 'blue' }));
    await raise();
    expect(fieldsNow()).toMatchObject({ color: 'blue', price: 2 });
    expect(methods()).toBe(expected);
  });

  it('reports that the outcome is unknown', async () => {
    during(1, LOST, () => other({ price: 50 }));
    const error = await failureOf(raise());
    expect(error).toBeInstanceOf(ItemsNetworkError);
    expect(error.message).toContain('may or may not have been made');
    expect(fieldsNow()).toMatchObject({ price: 50 });
  });

  it('honours the Retry-After of its PUT', async () => {
    server.fail(undefined, { kind: 'answer', answer: refusal(429, 'rate_limited', { 'retry-after': '3' }) });
    const { client, sleeps } = clientOf(server);
    await client.items.update(id, (item) => ({ ...item, price: 2 }));
    expect(sleeps).toEqual([3000]);
  });

  it('does not write without an ETag', async () => {
    server.setPlan(() => ({ kind: 'answer', answer: { status: 200, body: { id, name: 'Mug' } } }));
    expect(await failureOf(raise())).toMatchObject({ code: 'unexpected_response' });
    expect(methods()).toBe('GET');
  });

  it('makes every one of 8 concurrent changes', async () => {
    const { client } = clientOf(server, { timeoutMs: 20_000 });
    const one = (): Promise<unknown> => client.items.update(id, (item) => ({ ...item, price: (item.price ?? 0) + 1 }));
    await Promise.all(Array.from({ length: 8 }, one));
    expect(fieldsNow()).toMatchObject({ price: 9 });
  });
});

describe('setPassword', () => {
  it('is not repeated if its response is lost', async () => {
    server.setPlan(() => LOST);
    const call = clientOf(server).client.users.setPassword({ current_password: 'a', password: 'b' });
    expect(await failureOf(call)).toBeInstanceOf(ItemsNetworkError);
    expect(server.requests).toHaveLength(1);
  });
});
