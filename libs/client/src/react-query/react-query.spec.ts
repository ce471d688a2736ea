import { FaultServer } from '@items/testing';

import { PreconditionFailedError, type ItemsClient } from '../index.js';
import { clientOf, failureOf } from '../testing/client-under-test.testing.js';
import {
  createMutation,
  deleteMutation,
  EditConflictError,
  infiniteQueryOptions,
  keysOf,
  queryOptions,
  replaceMutation,
} from './index.js';
import type { QueryKey } from './queries.js';

let server: FaultServer;
let client: ItemsClient;
/** Cached data of the `QueryClient`, by key. */
let held: Map<string, unknown>;
/** Invalidated keys. */
let old: QueryKey[];
const store = {
  setQueryData: (key: QueryKey, data: unknown) => held.set(JSON.stringify(key), data),
  invalidateQueries: ({ queryKey }: { readonly queryKey: QueryKey }) => Promise.resolve(void old.push(queryKey)),
  removeQueries: ({ queryKey }: { readonly queryKey: QueryKey }) => void held.delete(JSON.stringify(queryKey)),
};
const { signal } = new AbortController();

beforeEach(async () => {
  server = await FaultServer.start();
  ({ client } = clientOf(server));
  [held, old] = [new Map(), []];
});
afterEach(() => server.stop());

const query = (id: string) => queryOptions('items', client.items, id);
const seen = async () => query((await client.items.create({ name: 'Mug' })).id).queryFn({ signal });

describe('queries', () => {
  it('have keys that begin with those of their collection', () => {
    const keys = keysOf(['users', 'me', 'orders']);
    expect(keys.list({ status: 'pending' })).toEqual([...keys.lists, { status: 'pending' }]);
    expect(keys.lists.slice(0, 3)).toEqual(keys.all);
    expect(keys.detail('a')).toEqual(['users', 'me', 'orders', 'detail', 'a']);
  });

  it('return each row once, page by page, until the last page', async () => {
    for (const name of ['a', 'b', 'c']) await client.items.create({ name });
    const { queryKey, queryFn, initialPageParam, getNextPageParam, retry } = infiniteQueryOptions(
      'items',
      client.items,
      { sort: 'name', limit: 2 },
    );
    expect([queryKey, retry]).toEqual([keysOf('items').list({ sort: 'name', limit: 2 }), false]);
    const first = await queryFn({ signal, pageParam: initialPageParam });
    const second = await queryFn({ signal, pageParam: getNextPageParam(first) });
    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(getNextPageParam(second)).toBeUndefined();
  });

  it('end with their signal', async () => {
    const walk = infiniteQueryOptions('items', client.items, {});
    await expect(walk.queryFn({ signal: AbortSignal.abort(), pageParam: undefined })).rejects.toThrow('abort');
    expect(server.requests).toEqual([]);
  });

  it('keep the ETag with the resource', async () => {
    const { data, etag } = await seen();
    expect(data.name).toBe('Mug');
    await expect(client.items.replace(data.id, { name: 'Cup' }, { ifMatch: etag })).resolves.toBeDefined();
  });
});

describe('mutations', () => {
  const replace = () => replaceMutation('items', client.items, store).mutationFn;
  const remove = () => deleteMutation('items', client.items, store).mutationFn;

  it('create, and invalidate lists', async () => {
    const made = await createMutation('items', client.items, store).mutationFn({ name: 'Mug' });
    expect([made.name, old]).toEqual(['Mug', [keysOf('items').lists]]);
  });

  it('replace the state that the user has seen; the result with its new ETag is in the cache', async () => {
    const { data, etag } = await seen();
    const first = await replace()({ id: data.id, input: { name: 'Cup' }, etag });
    expect(held.get(JSON.stringify(keysOf('items').detail(data.id)))).toEqual(first);
    const second = await replace()({ id: data.id, input: { name: 'Jug' }, etag: first.etag });
    expect([second.data.name, old.length]).toEqual(['Jug', 2]);
  });

  it('report the current state after a concurrent change, and write nothing', async () => {
    const { data, etag } = await seen();
    await client.items.replace(data.id, { name: 'Theirs' });
    const error = await failureOf(replace()({ id: data.id, input: { name: 'Mine' }, etag }));
    expect(error).toBeInstanceOf(EditConflictError);
    expect(error.cause).toBeInstanceOf(PreconditionFailedError);
    const { current } = error as unknown as EditConflictError<typeof data>;
    expect(current?.data.name).toBe('Theirs');
    expect(held.get(JSON.stringify(keysOf('items').detail(data.id)))).toBe(current);
    expect((await client.items.get(data.id)).name).toBe('Theirs');
    // The user has now seen the newer state, so the newer ETag allows the edit.
    const mine = await replace()({ id: data.id, input: { name: 'Mine' }, etag: current?.etag });
    expect(mine.data.name).toBe('Mine');
  });

  it('report a concurrent deletion, for a replacement and a deletion', async () => {
    const { data, etag } = await seen();
    await client.items.delete(data.id);
    const edit = await failureOf(replace()({ id: data.id, input: { name: 'Mine' }, etag }));
    expect(edit).toMatchObject({ name: 'EditConflictError', current: undefined });
    const deletion = await failureOf(remove()({ id: data.id, etag }));
    expect(deletion).toMatchObject({ name: 'EditConflictError', current: undefined });
  });

  it('delete the state that the user has seen, and no newer one', async () => {
    const { data, etag } = await seen();
    await client.items.replace(data.id, { name: 'Theirs' });
    const error = (await failureOf(remove()({ id: data.id, etag }))) as unknown as EditConflictError<typeof data>;
    expect(error.current?.data.name).toBe('Theirs');
    await remove()({ id: data.id, etag: error.current?.etag });
    expect(held.size).toBe(0);
    expect(await failureOf(client.items.get(data.id))).toMatchObject({ status: 404 });
  });

  it('reject a refused input with its details, and send nothing for an unknown ETag', async () => {
    const { data, etag } = await seen();
    const sent = server.requests.length;
    const unknown = await failureOf(replace()({ id: data.id, input: { name: 'Cup' }, etag: undefined }));
    expect([unknown.name, server.requests.length]).toEqual(['TypeError', sent]);
    server.setPlan(() => ({
      kind: 'answer',
      answer: { status: 422, body: { error: 'No.', code: 'validation_failed' } },
    }));
    const refused = await failureOf(replace()({ id: data.id, input: { name: '' }, etag }));
    expect(refused).toMatchObject({ name: 'ValidationError', status: 422 });
  });
});
