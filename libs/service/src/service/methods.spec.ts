import { Sortable, Text } from '@items/fields';
import type { HttpClient } from '@items/testing';

import { collection, type RunningService } from '../index.js';
import { startForTest } from './started-services.testing.js';

class BookInput {
  @Sortable() @Text({ min: 1, max: 200 }) title!: string;
}
const log = collection({ name: 'entries', singular: 'entry', input: BookInput, methods: ['create', 'list'] });
const titles = collection({ name: 'titles', singular: 'title', input: BookInput, methods: ['get'], parent: 'users' });

const TABLE = { get: 0, post: 0, put: 0, delete: 0 };

describe('The methods of a collection', () => {
  let service: RunningService & { readonly admin: HttpClient };
  beforeAll(async () => {
    service = await startForTest({ collections: [log, titles] });
  });
  afterAll(() => service.stop());

  const id = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';

  it.each([
    ['PUT', '/entries', 'GET, HEAD, POST, OPTIONS'],
    ['GET', `/entries/${id}`, 'OPTIONS'],
    ['PUT', `/entries/${id}`, 'OPTIONS'],
    ['DELETE', `/entries/${id}`, 'OPTIONS'],
    ['GET', `/users/${id}/titles`, 'OPTIONS'],
    ['POST', `/users/${id}/titles`, 'OPTIONS'],
    ['PUT', `/users/${id}/titles/${id}`, 'GET, HEAD, OPTIONS'],
  ])('are 405 if they are not served: %s %s', async (method, path, allow) => {
    const refused = await service.admin.send(method, path, { json: { title: 'Emma' } });
    expect([refused.status, refused.header('allow')]).toEqual([405, allow]);
    const options = await service.admin.send('OPTIONS', path);
    expect([options.status, options.header('allow')]).toEqual([204, allow]);
  });

  it('respond as usual if they are served', async () => {
    const made = await service.admin.post('/entries', { title: 'Emma' });
    expect(made.status).toBe(201);
    expect((await service.admin.get('/entries')).json()).toMatchObject({ entries: [{ title: 'Emma' }] });
  });

  it('are the operations in the document', async () => {
    const { paths } = (await service.admin.get('/openapi.json')).json() as { paths: Record<string, object> };
    const shown = Object.entries(paths).filter(([path]) => /entries|titles/.test(path));
    const operations = shown.map(([path, item]) => [path, Object.keys(item).filter((key) => key in TABLE)]);
    expect(Object.fromEntries(operations)).toEqual({
      '/entries': ['get', 'post'],
      '/users/{user_id}/titles/{id}': ['get'],
    });
  });

  it('must be names of operations, each once', () => {
    const of =
      (...methods: string[]) =>
      () =>
        collection({ name: 'books', singular: 'book', input: BookInput, methods: methods as never });
    expect(of('list', 'delete')).toThrow('methods of "books" names "delete"');
    expect(of('list', 'list')).toThrow('names "list"');
  });
});
