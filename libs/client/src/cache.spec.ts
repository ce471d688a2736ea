import { FaultServer, refusal } from '@items/testing';

import { clientOf } from './testing/client-under-test.testing.js';

let server: FaultServer;
let ids: string[];
beforeAll(async () => {
  server = await FaultServer.start();
  const { client } = clientOf(server);
  ids = [];
  for (const name of ['a', 'b', 'c']) ids.push((await client.items.create({ name })).id);
});
afterAll(() => server.stop());
beforeEach(() => server.setPlan(() => undefined));

const conditions = (): unknown[] => server.requests.map(({ headers }) => headers['if-none-match']);

describe('the cache', () => {
  it('is off by default', async () => {
    const { client } = clientOf(server);
    await client.items.get(ids[0]!);
    await client.items.get(ids[0]!);
    expect(conditions()).toEqual([undefined, undefined]);
  });

  it('revalidates its entries, and gives each caller a copy', async () => {
    const { client } = clientOf(server, { cache: true });
    const first = await client.items.get(ids[0]!);
    Object.assign(first, { name: 'changed by its owner' });
    expect(await client.items.get(ids[0]!)).toMatchObject({ name: 'a' });
    expect(conditions()).toEqual([undefined, '"v1"']);
  });

  it('evicts the least recently requested entry beyond maxEntries', async () => {
    const { client } = clientOf(server, { cache: { maxEntries: 2 } });
    for (const id of [0, 1, 0, 2, 0, 1]) await client.items.get(ids[id]!);
    expect(conditions()).toEqual([undefined, undefined, '"v1"', undefined, '"v1"', undefined]);
  });

  it('counts only the bytes of its current entries', async () => {
    const { client } = clientOf(server, { cache: { maxBytes: 2500 } });
    for (const id of [0, 0, 0, 0, 1, 0]) await client.items.get(ids[id]!);
    expect(conditions()).toEqual([undefined, '"v1"', '"v1"', '"v1"', undefined, '"v1"']);
  });

  it('stores no entry that is larger than maxBytes', async () => {
    const { client } = clientOf(server, { cache: { maxBytes: 600 } });
    for (const id of [0, 0]) await client.items.get(ids[id]!);
    expect(conditions()).toEqual([undefined, undefined]);
  });

  it('does not show one user the response of another user', async () => {
    const answer = { status: 200, headers: { etag: '"1"' }, body: { username: 'ada' } };
    // The application provides another token after the service refuses the first.
    server.setPlan((_, index) => ({ kind: 'answer', answer: index % 2 === 1 ? refusal(401, 'unauthorized') : answer }));
    const asked = ['token-a', 'token-b', 'token-a'];
    const { client } = clientOf(server, { cache: true, auth: { token: () => asked.shift() ?? '' } });
    for (let calls = 0; calls < 3; calls += 1) await client.users.me();
    const sent = server.requests.map(({ headers }) => [headers['authorization'], headers['if-none-match']]);
    expect(sent).toEqual([
      ['Bearer token-a', undefined],
      ['Bearer token-a', '"1"'],
      ['Bearer token-b', undefined],
      ['Bearer token-b', '"1"'],
      ['Bearer token-a', '"1"'],
    ]);
  });
});
