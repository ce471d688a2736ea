import { FaultServer, refusal } from '@items/testing';

import { AuthenticationError } from './index.js';
import { clientOf } from './testing/client-under-test.testing.js';

let server: FaultServer;
beforeEach(async () => (server = await FaultServer.start()));
afterEach(() => server.stop());

/** A service that accepts one token, and an application that provides tokens. */
function asked(...tokens: readonly string[]) {
  const accepted = { token: tokens[0] };
  let asks = 0;
  const token = (): Promise<string> => Promise.resolve(tokens[Math.min(asks++, tokens.length - 1)] ?? '');
  server.setPlan(({ headers }) =>
    headers['authorization'] === `Bearer ${accepted.token ?? ''}`
      ? { kind: 'answer', answer: { status: 200, body: { items: [] } } }
      : { kind: 'answer', answer: refusal(401, 'unauthorized') },
  );
  return { client: clientOf(server, { auth: { token } }).client, accepted, asks: () => asks };
}

const pages = (client: ReturnType<typeof asked>['client'], count: number): Promise<unknown>[] =>
  Array.from({ length: count }, () => client.items.page());

describe('auth: { token }', () => {
  it('calls the function before the first request, once for all requests, and caches the value', async () => {
    const { client, asks } = asked('a');
    expect(asks()).toBe(0);
    await Promise.all(pages(client, 10));
    await client.items.page();
    expect(asks()).toBe(1);
  });

  it('calls the function again after a 401, once for all waiting requests', async () => {
    const { client, accepted, asks } = asked('a', 'b');
    await client.items.page();
    accepted.token = 'b';
    await Promise.all(pages(client, 10));
    expect([asks(), server.requests.length]).toEqual([2, 21]);
  });

  it('calls the function once per 401, even if it returns the same token', async () => {
    const { client, accepted, asks } = asked('a');
    await client.items.page();
    accepted.token = 'another';
    for (const outcome of await Promise.allSettled(pages(client, 10))) {
      expect(outcome).toMatchObject({ reason: expect.any(AuthenticationError) as Error });
    }
    expect([asks(), server.requests.length]).toEqual([2, 21]);
  });

  it('fails all waiting requests if the function rejects, and calls it again for the next request', async () => {
    let asks = 0;
    const token = (): Promise<string> => {
      asks += 1;
      return asks === 1 ? Promise.reject(new Error('no login')) : Promise.resolve('a');
    };
    server.setPlan(() => ({ kind: 'answer', answer: { status: 200, body: { items: [] } } }));
    const { client } = clientOf(server, { auth: { token } });
    for (const outcome of await Promise.allSettled(pages(client, 10))) {
      expect(outcome).toMatchObject({ reason: { message: 'no login' } });
    }
    await client.items.page();
    expect([asks, server.requests.length]).toEqual([2, 1]);
  });
});
