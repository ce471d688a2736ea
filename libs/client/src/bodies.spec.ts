import { FaultServer } from '@items/testing';

import { ItemsNetworkError } from './index.js';
import { clientOf, failureOf } from './testing/client-under-test.testing.js';

let server: FaultServer;
beforeAll(async () => (server = await FaultServer.start()));
afterAll(() => server.stop());

/** Byte positions at which the response is truncated, from its head to the end of its body. */
const BYTES = Array.from({ length: 15 }, (_, index) => index * 12);

describe('a truncated response counts as lost', () => {
  it.each(BYTES)('a reset after %d bytes of a GET, a POST, a PUT and a DELETE is repaired', async (afterBytes) => {
    const { client } = clientOf(server);
    const cut = { kind: 'reset', done: true, afterBytes } as const;
    server.setPlan(() => undefined);
    const before = server.service.writes;

    server.fail(cut);
    const { id } = await client.items.create({ name: 'Mug' });
    server.fail(cut);
    expect(await client.items.get(id)).toMatchObject({ id, name: 'Mug' });
    server.fail(cut);
    expect(await client.items.replace(id, { name: 'Cup' })).toMatchObject({ name: 'Cup' });
    server.fail(cut);
    await client.items.delete(id);
    expect(server.service.rows.has(id)).toBe(false);
    // A PUT without a condition is sent twice, with the same effect.
    expect(server.service.writes - before).toBeLessThanOrEqual(4);
  });

  it.each([0, 1, 9])('a Content-Length of %d that truncates the JSON is repaired', async (bytes) => {
    server.fail({ kind: 'short', done: true, bytes });
    const { client, sleeps } = clientOf(server);
    await expect(client.items.page()).resolves.toMatchObject({ items: expect.any(Array) });
    expect(sleeps).toHaveLength(1);
  });

  it('a JSON object is parsed with any Content-Type, and counts as truncated if it does not end', async () => {
    const texts = ['{"items": [', '{"items": []}'];
    const { client, sleeps } = clientOf(server, { fetch: () => Promise.resolve(new Response(texts.shift())) });
    await expect(client.items.page()).resolves.toEqual({ items: [] });
    expect(sleeps).toHaveLength(1);
  });

  it('the timeout covers the body', async () => {
    server.setPlan(() => ({ kind: 'stall', done: true, afterBytes: -1 }));
    const error = await failureOf(clientOf(server, { timeoutMs: 50 }).client.items.page());
    expect(error).toBeInstanceOf(ItemsNetworkError);
    expect(error.message).toContain('No whole answer within 50 ms');
    expect(server.requests).toHaveLength(4);
  });

  it('an endless body is not read further than the limit', async () => {
    let sentBytes = 0;
    const endless = (): Promise<Response> =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            pull: (controller) => {
              sentBytes += 1_048_576;
              controller.enqueue(new Uint8Array(1_048_576));
            },
          }),
        ),
      );
    const error = await failureOf(clientOf(server, { fetch: endless, timeoutMs: 20_000 }).client.items.page());
    expect(error).toMatchObject({ code: 'unexpected_response' });
    expect(sentBytes).toBeLessThan(40_000_000);
  });

  it('a fetch that ignores its signal is abandoned', async () => {
    const deaf = (): Promise<Response> => new Promise(() => undefined);
    const { client } = clientOf(server, { fetch: deaf, timeoutMs: 10, retry: { attempts: 1 } });
    expect(await failureOf(client.items.page())).toBeInstanceOf(ItemsNetworkError);
  });
});
