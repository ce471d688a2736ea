import { inspect } from 'node:util';

import { FaultServer, ModelService, ModelTokens, refusal, type Fault, type ReceivedRequest } from '@items/testing';
import fc from 'fast-check';

import { ItemsApiError, ItemsNetworkError, type Auth, type ItemsClient } from './index.js';
import { clientOf } from './testing/client-under-test.testing.js';

const cut = fc
  .tuple(fc.boolean(), fc.integer({ min: 0, max: 260 }))
  .map(([done, afterBytes]): Fault => ({ kind: 'reset', done, afterBytes }));
const short = fc
  .tuple(fc.boolean(), fc.integer({ min: 0, max: 30 }))
  .map(([done, bytes]): Fault => ({ kind: 'short', done, bytes }));
const refused = fc
  .tuple(
    fc.constantFrom(400, 409, 422, 429, 500, 502, 503, 504),
    fc.boolean(),
    fc.constantFrom<Readonly<Record<string, string>>>({}, { 'retry-after': '2' }),
  )
  // The service has not processed a request that it refused. After an error of a proxy, it may have.
  .map(([status, done, headers]): Fault => {
    return { kind: 'answer', done: done && status > 500, answer: refusal(status, 'a_code', headers) };
  });
/** The fault of each request, in order. Requests after the end of the list succeed. */
const faults = fc.array(fc.option(fc.oneof(cut, short, refused), { nil: undefined }), { maxLength: 8 });

type Outcome = 'done' | 'refused' | 'unknown';

async function outcomeOf(call: Promise<unknown>, errors: unknown[]): Promise<Outcome> {
  try {
    await call;
    return 'done';
  } catch (error) {
    errors.push(error);
    if (error instanceof ItemsNetworkError) return 'unknown';
    if (!(error instanceof ItemsApiError)) throw error;
    return error.status > 500 || error.status === 404 ? 'unknown' : 'refused';
  }
}

/** Checks the rules for all requests of one call. */
function checkRequests(requests: readonly ReceivedRequest[], sequence: readonly (Fault | undefined)[]): void {
  expect(requests.length).toBeLessThanOrEqual(40);
  requests.forEach((request, index) => {
    const fault = sequence[index];
    const next = requests[index + 1];
    if (request.method === 'POST' && request.path === '/items')
      expect(request.headers['idempotency-key']).toBeDefined();
    // No retry after a 500, or a 4xx other than 429.
    if (fault?.kind === 'answer' && [400, 409, 422, 500].includes(fault.answer.status) && request.path === '/items') {
      expect(next).toBeUndefined();
    }
  });
}

let server: FaultServer;
beforeEach(async () => (server = await FaultServer.start()));
afterEach(() => server.stop());

async function under(
  auth: Auth,
  sequence: readonly (Fault | undefined)[],
  call: (client: ItemsClient) => Promise<unknown>,
) {
  const errors: unknown[] = [];
  const { client } = clientOf(server, { auth, timeoutMs: 5000 });
  server.fail(...sequence);
  const outcome = await outcomeOf(call(client), errors);
  checkRequests(server.requests, sequence);
  const text = inspect([client, errors], { depth: 20, showHidden: true }) + JSON.stringify(errors);
  for (const secret of [ModelService.apiKey, ModelTokens.password, 'access-secret', 'refresh-secret']) {
    expect(text).not.toContain(secret);
  }
  server.fail();
  return outcome;
}

const API_KEY: Auth = { apiKey: ModelService.apiKey };
const SESSION: Auth = { session: { username: ModelTokens.username, password: ModelTokens.password } };

describe.each([
  ['an API key', API_KEY],
  ['a session', SESSION],
])('after any faults, with %s', (_, auth) => {
  it('an item is created once if the call succeeds, otherwise at most once', () =>
    fc.assert(
      fc.asyncProperty(faults, async (sequence) => {
        const before = server.service.rows.size;
        const outcome = await under(auth, sequence, (client) => client.items.create({ name: 'Mug' }));
        const made = server.service.rows.size - before;
        expect(made).toBeLessThanOrEqual(1);
        if (outcome === 'done') expect(made).toBe(1);
      }),
      { numRuns: 40 },
    ));

  it('a change is made once if the call succeeds, otherwise at most once', () =>
    fc.assert(
      fc.asyncProperty(faults, async (sequence) => {
        const { id } = await clientOf(server).client.items.create({ name: 'Mug', price: 1 });
        const outcome = await under(auth, sequence, (client) =>
          client.items.update(id, (item) => ({ ...item, price: (item.price ?? 0) + 1 })),
        );
        const price = server.service.rows.get(id)?.fields['price'];
        expect([1, 2]).toContain(price);
        if (outcome === 'done') expect(price).toBe(2);
      }),
      { numRuns: 40 },
    ));

  it('an item is gone if its deletion succeeds', () =>
    fc.assert(
      fc.asyncProperty(faults, async (sequence) => {
        const { id } = await clientOf(server).client.items.create({ name: 'Mug' });
        const outcome = await under(auth, sequence, (client) => client.items.delete(id));
        if (outcome === 'done') expect(server.service.rows.has(id)).toBe(false);
        if (outcome === 'refused') expect(server.requests.length).toBeLessThanOrEqual(4);
      }),
      { numRuns: 40 },
    ));
});

it('no refresh token is used twice after any faults', () =>
  fc.assert(
    fc.asyncProperty(faults, async (sequence) => {
      const { client } = clientOf(server, { auth: SESSION, timeoutMs: 5000 });
      await client.items.page();
      server.service.tokens.expire();
      // Only the requests of the session fail.
      let count = 0;
      server.setPlan(({ path }) => (path === '/oauth/token' ? sequence[count++] : undefined));
      await client.items.page();
      expect(server.service.tokens.wasReused).toBe(false);
    }),
    { numRuns: 40 },
  ));
