import { admin } from '../harness/clients.js';
import { expectStatus } from '../harness/reading.js';
import type { CollectionUnderTest } from './collection-under-test.js';

const UNKNOWN = { id: '01890000-0000-7000-8000-000000000009' };

/** Rules of a collection that serves only some operations: the others are 405 and not in the document. */
export function methodRules(collection: CollectionUnderTest, methods: readonly string[]): void {
  const isServed = (method: string): boolean => methods.includes(method);

  it('§4 serves its operations; the others are 405', async () => {
    const body = collection.body();
    const created = isServed('create') ? await collection.create() : undefined;
    const target = collection.target(created ?? UNKNOWN);
    const expected = (method: string, status: number): number => (isServed(method) ? status : 405);
    const found = (status: number): number => (created === undefined ? 404 : status);
    expectStatus(await admin.get(collection.path), expected('list', 200));
    expectStatus(await admin.post(collection.path, body), expected('create', 201));
    expectStatus(await admin.get(target), expected('get', found(200)));
    expectStatus(await admin.put(target, collection.body(1)), expected('replace', found(200)));
    expectStatus(await admin.delete(target), expected('remove', found(204)));
  });

  it('§4 the document has its operations only', async () => {
    const { paths } = (await admin.get('/openapi.json')).json() as { paths: Record<string, Record<string, object>> };
    const [all = {}, one = {}] = [paths[collection.spec.path], paths[`${collection.spec.path}/{id}`]];
    const documented = {
      list: 'get' in all,
      create: 'post' in all,
      get: 'get' in one,
      replace: 'put' in one,
      remove: 'delete' in one,
    };
    const shown = Object.entries(documented).flatMap(([method, isShown]) => (isShown ? [method] : []));
    expect(shown.sort()).toEqual([...methods].sort());
  });
}
