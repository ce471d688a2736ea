import { Sortable, Text } from '@items/fields';
import { HttpClient, onBothDatabases } from '@items/testing';

import { collection } from '../index.js';
import { type StartedService, StartedServices } from './started-services.testing.js';

class BookInput {
  @Sortable() @Text({ min: 1, max: 200 }) title!: string;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput });
const BASE_URL = 'http://shop.example/api/v1';

// The service expects that the proxy has removed the path of BASE_URL.
onBothDatabases(
  'SPEC §1: a service whose BASE_URL has a path',
  (config) => Promise.resolve(new StartedServices(config)),
  (under) => {
    let service: StartedService;
    beforeAll(async () => {
      service = await under.database.start({ collections: [books], settings: { BASE_URL } });
    });

    it('begins Location and Link with the path, also of a repeated request', async () => {
      const once = ['Idempotency-Key', 'the-same'] as const;
      const made = await service.admin.post('/books', { title: 'Emma' }, once);
      const { id } = made.json() as { readonly id: string };
      expect(made.header('location')).toBe(`/api/v1/books/${id}`);
      expect((await service.admin.post('/books', { title: 'Emma' }, once)).header('location')).toBe(
        `/api/v1/books/${id}`,
      );
      for (const style of ['page=1', 'limit=1']) {
        const link = (await service.admin.get(`/books?${style}`)).header('link') ?? '';
        expect(link).toMatch(/^<\/api\/v1\/books\?/);
        expect(link).not.toContain('</books');
      }
    });

    it('names a resource with a secret that is not shown again', async () => {
      const key = { name: 'Key', scopes: ['books:read'] };
      const once = ['Idempotency-Key', 'the-same'] as const;
      const made = await service.admin.post('/api-keys', key, once);
      const again = await service.admin.post('/api-keys', key, once);
      expect(again.status).toBe(409);
      expect(again.header('location')).toMatch(/^\/api\/v1\/api-keys\/[0-9a-f-]{36}$/);
      expect(again.header('location')).toBe(made.header('location'));
    });

    it('redirects a browser below the path: home, login, cookies', async () => {
      const home = await service.admin.get('/', ['Accept', 'text/html']);
      expect([home.status, home.header('location')]).toEqual([302, '/api/v1/docs']);
      const client = (
        await service.admin.post('/clients', {
          name: 'App',
          redirect_uris: ['https://app.example/cb'],
          scopes: ['books:read'],
          token_endpoint_auth_method: 'none',
        })
      ).json() as { readonly client_id: string };
      const query = new URLSearchParams({
        client_id: client.client_id,
        response_type: 'code',
        redirect_uri: 'https://app.example/cb',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      });
      const login = await new HttpClient({ baseUrl: service.url }).get(`/oauth/authorize?${query.toString()}`);
      expect([login.status, login.header('location')]).toEqual([303, expect.stringMatching(/^\/api\/v1\/oauth\//)]);
      const cookies = login.all('set-cookie');
      expect(cookies).not.toEqual([]);
      for (const cookie of cookies) expect(cookie).toMatch(/; path=\/api\/v1\/oauth/i);
    });

    it.each(['oauth-authorization-server', 'oauth-protected-resource'])(
      'serves /.well-known/%s also with the path appended',
      async (name) => {
        const client = new HttpClient({ baseUrl: service.url });
        const plain = await client.get(`/.well-known/${name}`);
        expect(plain.json()).toMatchObject(name.endsWith('resource') ? { resource: BASE_URL } : { issuer: BASE_URL });
        const appended = await client.get(`/.well-known/${name}/api/v1`);
        expect([appended.status, appended.json()]).toEqual([200, plain.json()]);
        expect((await client.get(`/.well-known/${name}/api/v1?x=1`)).status).toBe(200);
        expect((await client.post(`/.well-known/${name}/api/v1`, {})).status).toBe(405);
        for (const other of ['/api', '/api/v2', '/api/v1/', '/x/api/v1', '/api/v1/api/v1', '/']) {
          expect([other, (await client.get(`/.well-known/${name}${other}`)).status]).toEqual([other, 404]);
        }
        expect((await client.get('/.well-known/api/v1')).status).toBe(404);
      },
    );

    it('has the address in its document', async () => {
      const document = (await service.admin.get('/openapi.json')).json() as { readonly servers: readonly object[] };
      expect(document.servers).toEqual([expect.objectContaining({ url: BASE_URL })]);
    });
  },
);
