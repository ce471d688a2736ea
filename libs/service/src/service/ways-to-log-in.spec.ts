import { Text } from '@items/fields';
import { type Answer, Browser, type Header, HttpClient, onBothDatabases } from '@items/testing';

import { startTestProvider, type TestProvider } from '../access/oauth/testing/identity-provider.testing.js';
import { collection } from '../index.js';
import { type StartedService, StartedServices } from './started-services.testing.js';

class BookInput {
  @Text({ min: 1, max: 200 }) title!: string;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput });

const PASSWORD = 'correct horse battery';
const BASIC: Header = ['Authorization', `Basic ${Buffer.from(`mary:${PASSWORD}`).toString('base64')}`];
const BEARER: Header = ['Authorization', `Bearer ${'x'.repeat(43)}`];
const PAGE = 'https://page.example/back';

interface ApiDocument {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, object>> };
}

function refusal(answer: Answer): [status: number, code: string] {
  return [answer.status, (answer.json() as { code: string }).code];
}

async function documentOf({ admin }: StartedService): Promise<ApiDocument> {
  return (await admin.get('/openapi.json')).json() as ApiDocument;
}

onBothDatabases(
  'AUTH_METHODS',
  async (config) => {
    const services = new StartedServices(config);
    const started = new Map<string, Promise<StartedService>>();
    const start = (AUTH_METHODS: string): Promise<StartedService> => {
      const service = started.get(AUTH_METHODS) ?? services.start({ collections: [books], settings: { AUTH_METHODS } });
      started.set(AUTH_METHODS, service);
      return service;
    };
    const all = await start('');
    await all.admin.post('/users', { username: 'mary', password: PASSWORD });
    const made = await all.admin.post('/api-keys', { name: 'Key', scopes: ['books:read'] });
    const { key } = made.json() as { key: string };
    const session = await all.admin.post('/sessions', { username: 'mary', password: PASSWORD });
    const { access_token: token } = session.json() as { access_token: string };
    const credentials: Readonly<Record<string, Header>> = {
      'api-key': ['X-API-Key', key],
      basic: BASIC,
      bearer: ['Authorization', `Bearer ${token}`],
    };
    return {
      credentials,
      start,
      close: () => services.close(),
    };
  },
  (under) => {
    it.each([
      ['api-key', ['ApiKey']],
      ['basic', ['Basic']],
      ['basic,bearer', ['Bearer', 'Basic']],
      ['api-key,basic,bearer', ['Bearer', 'Basic', 'ApiKey']],
    ])('%s: the other methods are an unknown scheme', async (methods, challenges) => {
      const { credentials, start } = under.database;
      const { url, admin } = await start(methods);
      const client = new HttpClient({ baseUrl: url });
      for (const [method, header] of Object.entries(credentials)) {
        const answer = await client.get('/books', header);
        expect([method, answer.status]).toEqual([method, methods.split(',').includes(method) ? 200 : 401]);
      }
      const refused = await client.get('/books', ['Authorization', 'Unknown x']);
      expect(refused.all('WWW-Authenticate').map((line) => line.split(' ')[0])).toEqual(challenges);
      expect((await admin.get('/books')).status).toBe(200);
    });

    it('a credential that is not accepted counts as one: two are 400', async () => {
      const { admin } = await under.database.start('api-key');
      expect(refusal(await admin.get('/books', BASIC))).toEqual([400, 'ambiguous_credential']);
      expect(refusal(await admin.get('/books', BEARER))).toEqual([400, 'ambiguous_credential']);
    });

    it.each([['/sessions'], ['/clients'], ['/oauth/token'], ['/oauth/authorize'], ['/oauth/jwks'], ['/oauth/logout']])(
      '%s is 404 without bearer tokens',
      async (path) => {
        const { admin } = await under.database.start('api-key,basic');
        for (const method of ['GET', 'POST', 'DELETE']) expect((await admin.send(method, path)).status).toBe(404);
      },
    );

    it('the console is 404 without bearer tokens, and the document has no route of theirs', async () => {
      const service = await under.database.start('api-key,basic');
      for (const path of ['/console', '/console/', '/console/setup'])
        expect((await service.admin.get(path)).status).toBe(404);
      const { paths, components } = await documentOf(service);
      expect(Object.keys(components.securitySchemes)).toEqual(['apiKey', 'basic']);
      expect(Object.keys(paths).filter((path) => /^\/(oauth|sessions|clients|\.well-known)/.test(path))).toEqual([]);
      expect(JSON.stringify(paths)).not.toMatch(/"(bearer|oauth2)":\[/);
    });

    it('the document offers all methods by default', async () => {
      const { components } = await documentOf(await under.database.start(''));
      expect(Object.keys(components.securitySchemes)).toEqual(['apiKey', 'basic', 'bearer', 'oauth2']);
    });
  },
);

onBothDatabases(
  'PASSWORD_LOGIN=off',
  async (config) => {
    const services = new StartedServices(config);
    const provider: TestProvider = await startTestProvider();
    const settings = {
      FIRST_PARTY_REDIRECTS: PAGE,
      OIDC_LOGIN: JSON.stringify({ issuer: provider.url, client_id: 'a', client_secret: 'b', name: 'Example' }),
    };
    const before = await services.start({ collections: [books], settings });
    const user = (await before.admin.post('/users', { username: 'mary', password: PASSWORD })).json() as { id: string };
    const session = await before.admin.post('/sessions', { username: 'mary', password: PASSWORD });
    const { access_token: token } = session.json() as { access_token: string };
    const service = await services.start({ collections: [books], settings: { ...settings, PASSWORD_LOGIN: 'off' } });
    const close = async (): Promise<void> => {
      await services.close();
      provider.close();
    };
    return { service, userId: user.id, token, close };
  },
  (under) => {
    it('POST /sessions is 403 before the body is read', async () => {
      const { admin } = under.database.service;
      const right = await admin.post('/sessions', { username: 'mary', password: PASSWORD });
      const malformed = await admin.send('POST', '/sessions', { body: '{', headers: [['Content-Type', 'text/plain']] });
      expect([refusal(right), refusal(malformed)]).toEqual([
        [403, 'password_login_off'],
        [403, 'password_login_off'],
      ]);
    });

    it('no password can be set', async () => {
      const { service, userId, token } = under.database;
      const password = 'another good password';
      const own = new HttpClient({ baseUrl: service.url, headers: [['Authorization', `Bearer ${token}`]] });
      const change = { current_password: PASSWORD, password };
      const answers = [
        await own.put('/users/me/password', change),
        await service.admin.post('/users', { username: 'john', password }),
        await service.admin.put(`/users/${userId}`, { username: 'mary', password }),
      ];
      expect(answers.map(refusal)).toEqual(answers.map(() => [409, 'no_password']));
      expect((await service.admin.put(`/users/${userId}`, { username: 'mary' })).status).toBe(200);
    });

    it('Basic is not accepted, and not offered', async () => {
      const { url } = under.database.service;
      const refused = await new HttpClient({ baseUrl: url }).get('/books', BASIC);
      expect(refused.status).toBe(401);
      expect(refused.all('WWW-Authenticate').join()).not.toContain('Basic');
    });

    it('the login page has no password form, and takes no password', async () => {
      const browser = new Browser(under.database.service.url);
      const page = await browser.get(
        `/oauth/authorize?${new URLSearchParams({
          client_id: 'first-party',
          response_type: 'code',
          redirect_uri: PAGE,
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
        }).toString()}`,
      );
      expect(page.text).toContain('Continue with Example');
      expect(page.text).not.toContain('name="password"');
      const sent = await browser.submit(page, { username: 'mary', password: PASSWORD });
      expect([sent.status, sent.left]).toEqual([422, undefined]);
    });
  },
);
