import { gzipSync } from 'node:zlib';

import { Sortable, Text } from '@items/fields';
import { type Answer, onBothDatabases } from '@items/testing';

import { operationContext } from '../admin/service.testing.js';
import { runOperation } from '../admin/run-program.js';
import { userOperations } from '../admin/users/user-operations.js';
import { PasswordHasher } from '../access/passwords/password-hasher.js';
import { Database } from '../data/database/database.js';
import { collection } from '../index.js';
import { composed } from './collections/composed.js';
import { schemaOf } from './schema.js';
import { type StartedService, StartedServices, startForTest } from './started-services.testing.js';

class BookInput {
  @Sortable() @Text({ min: 1, max: 200 }) title!: string;
}
const collections = [collection({ name: 'books', singular: 'book', input: BookInput, events: true })];
const BASE_URL = 'http://books.example';
const person = { username: 'ada', password: 'correct horse battery' };
const MAX_FAILURES = 10;

describe('/console', () => {
  let service: StartedService;
  beforeAll(async () => {
    service = await startForTest({
      collections,
      settings: { BASE_URL, CONSOLE_COLOR: '#a04020' },
      info: { title: 'A & B' },
    });
  });
  afterAll(() => service.stop());
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(service.url + path, { headers });

  it.each([
    '/console',
    '/console/',
    '/console/books?sort=-title',
    '/console/books/1?state=x',
    '/console/callback?code=a&state=b',
  ])('serves the page at %s without a credential and without a quota', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
    const page = await response.text();
    expect(page).toContain('<title>A &amp; B</title>');
    expect(page).toContain('<meta name="theme-color" content="#a04020">');
    expect(page).toContain(`<meta name="items-base-url" content="${BASE_URL}">`);
  });

  it('allows the page nothing but the files and the operations of the service', async () => {
    const response = await get('/console');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|data:|https?:|\*/);
    expect(await response.text()).not.toMatch(/<style|<script>|<script[^>]*>[^<]|\son\w+=|style=/);
  });

  it('is revalidated, and its files have the hash of their content in their names', async () => {
    const page = await get('/console');
    const etag = page.headers.get('etag') ?? '';
    expect((await get('/console/books', { 'If-None-Match': etag })).status).toBe(304);
    const names = [...(await page.text()).matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, name = '']) => name);
    expect(names).toHaveLength(3);
    let sent = 0;
    for (const name of names) {
      const file = await get(name, { 'Accept-Encoding': 'gzip' });
      expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(file.headers.get('content-encoding')).toBe('gzip');
      const content = await file.text();
      expect(content.length).toBeGreaterThan(100);
      sent += gzipSync(content).length;
    }
    expect(sent).toBeLessThan(200 * 1024);
  });

  it.each(['/console/main.js', '/console/main-x.js', '/console/../package.json', '/console/a.b/c.css'])(
    'has no file %s',
    async (path) => {
      const response = await get(path);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'route_not_found']);
    },
  );

  it('refuses other methods', async () => {
    const response = await fetch(`${service.url}/console/books`, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('may end a login of first-party at its callback', async () => {
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: 'first-party', redirect_uri: `${BASE_URL}/console/callback` },
      ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256', state: 's' },
    });
    const response = await fetch(`${service.url}/oauth/authorize?${String(query)}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/oauth/interaction/'),
    ]);
  });
});

describe('CONSOLE', () => {
  const statusWith = async (settings: Record<string, string>): Promise<number> => {
    const service = await startForTest({ collections, settings });
    const { status } = await fetch(`${service.url}/console`);
    await service.stop();
    return status;
  };

  it('is off on request, and by default if BASE_URL has a path', async () => {
    expect(await statusWith({ CONSOLE: 'off' })).toBe(404);
    expect(await statusWith({ BASE_URL: 'http://books.example/api' })).toBe(404);
    expect(await statusWith({ BASE_URL: 'http://books.example/api', CONSOLE: 'on' })).toBe(200);
  });

  it('off: there is no redirect URI for it, and no setup', async () => {
    const service = await startForTest({ collections, settings: { CONSOLE: 'off', BASE_URL } });
    const query = `response_type=code&client_id=first-party&redirect_uri=${BASE_URL}/console/callback`;
    const response = await fetch(`${service.url}/oauth/authorize?${query}`, { redirect: 'manual' });
    const setup = await fetch(`${service.url}/console/setup`, { method: 'POST' });
    await service.stop();
    expect([response.status, setup.status]).toEqual([400, 404]);
  });

  it.each([
    [{ CONSOLE: 'yes' }, /CONSOLE must be one of on, off/],
    [{ CONSOLE_COLOR: 'red' }, /CONSOLE_COLOR must be a colour of six hexadecimal digits/],
  ])('%j stops the start', async (settings, sentence) => {
    await expect(startForTest({ collections, settings })).rejects.toThrow(sentence);
  });
});

describe('GET /users/me', () => {
  it('shows the permissions of its credential, and accepts its own response', async () => {
    const service = await startForTest({ collections });
    const { id } = (await service.admin.post('/users', { ...person, role: 'member' })).json() as { id: string };
    const basic = `Basic ${Buffer.from(`${person.username}:${person.password}`).toString('base64')}`;
    const me = async (path: string): Promise<Record<string, unknown>> =>
      (await (await fetch(service.url + path, { headers: { Authorization: basic } })).json()) as Record<
        string,
        unknown
      >;
    const own = await me('/users/me');
    const byId = await me(`/users/${id}`);
    const sentBack = await service.admin.put(`/users/${id}`, { ...own, name: 'Ada' });
    const document = (await service.admin.get('/openapi.json')).json() as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    await service.stop();
    expect(own['scopes']).toEqual(['books:read', 'books:write', 'keys:manage', 'users:read']);
    expect(byId).not.toHaveProperty('scopes');
    expect([sentBack.status, sentBack.json()]).toEqual([
      200,
      expect.not.objectContaining({ scopes: expect.anything() }),
    ]);
    expect(document.paths['/users']?.['get']?.['x-reached-by']).toBe('admin');
    expect(document.paths['/users/{id}']?.['get']?.['x-reached-by']).toBe('owner');
    expect(document.paths['/books']?.['get']).not.toHaveProperty('x-reached-by');
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/console'))).toEqual([]);
  });
});

onBothDatabases(
  'The first administrator',
  (config) => Promise.resolve(new StartedServices(config)),
  (under) => {
    let printed: string[];
    beforeEach(async () => {
      printed = [];
      const service = await under.database.start({ collections });
      await service.app.get(Database, { strict: false }).transaction(async (tx) => {
        await tx.query('DELETE FROM users');
        await tx.query("DELETE FROM settings WHERE name IN ('admin_key_hash', 'setup_token')");
      });
      await service.stop();
      jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    });
    afterEach(() => jest.restoreAllMocks());

    /** Starts a service that generates the admin key, unless `settings` contain one. */
    const start = (settings: Record<string, string> = {}): Promise<StartedService> =>
      under.database.start({ collections, settings: { ADMIN_API_KEY: '', BASE_URL, ...settings } });
    const link = (): string | undefined => /http\S+\/console\/setup#(\S+)/.exec(printed.join(''))?.[1];
    const setUp = (service: StartedService, body: object, headers: [string, string][] = []): Promise<Answer> =>
      service.admin.withOptions({ headers: [] }).post('/console/setup', body, ...headers);
    const usernames = async (service: StartedService): Promise<string[]> => {
      const database = service.app.get(Database, { strict: false });
      return (await database.query<{ username: string }>('SELECT username FROM users')).map(({ username }) => username);
    };

    it('is created by the printed link, once, and is recorded as made by the system', async () => {
      const service = await start();
      const token = link();
      expect(token).toMatch(/^[\w-]{43}$/);
      const created = await setUp(service, { token, ...person });
      expect([created.status, created.json()]).toEqual([
        201,
        expect.objectContaining({ username: 'ada', role: 'admin' }),
      ]);
      expect(created.header('cache-control')).toBe('no-store');
      const again = await setUp(service, { token, ...person, username: 'eve' });
      expect([again.status, again.json()]).toEqual([410, expect.objectContaining({ code: 'setup_done' })]);
      const basic = `Basic ${Buffer.from(`${person.username}:${person.password}`).toString('base64')}`;
      const audit = await fetch(`${service.url}/audit-events?type=user.created`, { headers: { Authorization: basic } });
      const { audit_events: records } = (await audit.json()) as { audit_events: Record<string, unknown>[] };
      await service.stop();
      expect(records.at(-1)).toMatchObject({
        actor: { type: 'system', user_id: null, credential_id: null, client_id: null },
        address: expect.any(String),
        request_id: created.header('x-request-id'),
      });
    });

    it('is created once for any number of concurrent requests', async () => {
      const service = await start();
      const token = link();
      const names = Array.from({ length: 6 }, (_, index) => `user-${String(index)}`);
      const answers = await Promise.all(names.map((username) => setUp(service, { token, ...person, username })));
      const created = await usernames(service);
      await service.stop();
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 410, 410, 410, 410, 410]);
      expect(created).toHaveLength(1);
    });

    it('a body that POST /users would refuse leaves the token valid', async () => {
      const service = await start();
      const token = link();
      const refused = await setUp(service, { token, username: 'A', password: 'short' });
      const details = (refused.json() as { details: { field: string }[] }).details;
      const created = await setUp(service, { token, ...person });
      await service.stop();
      expect([refused.status, details.map(({ field }) => field), created.status]).toEqual([
        422,
        expect.arrayContaining(['username', 'password']),
        201,
      ]);
    });

    it('a wrong token costs no hash, counts for its address, and is refused after ten', async () => {
      const service = await start();
      const token = link();
      const hash = jest.spyOn(PasswordHasher.prototype, 'hash');
      const wrong: number[] = [];
      for (let index = 0; index <= MAX_FAILURES; index += 1) {
        wrong.push((await setUp(service, { ...person, token: `${token ?? ''}${String(index)}` })).status);
      }
      const right = await setUp(service, { ...person, token });
      const created = await usernames(service);
      await service.stop();
      expect(wrong).toEqual([...Array.from({ length: MAX_FAILURES }, () => 401), 429]);
      expect([right.status, hash.mock.calls, created]).toEqual([429, [], []]);
    });

    it('a token ends after 24 hours', async () => {
      const service = await start();
      const token = link();
      jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 24 * 3_600_000 + 1000);
      const late = await setUp(service, { ...person, token });
      jest.mocked(Date.now).mockRestore();
      await service.stop();
      expect(late.status).toBe(401);
      expect(late.header('www-authenticate')).not.toContain('Basic');
    });

    it('is not created by another site, by another media type, by a long body, or over plain HTTP', async () => {
      const service = await start();
      const body = { token: link(), ...person };
      const send = async (headers: Record<string, string>, text = JSON.stringify(body)): Promise<number> =>
        (await fetch(`${service.url}/console/setup`, { method: 'POST', headers, body: text })).status;
      const json = { 'Content-Type': 'application/json' };
      const statuses = [
        await send({ ...json, Origin: 'https://evil.example' }),
        await send({ ...json, Origin: 'null' }),
        await send({ ...json, 'Sec-Fetch-Site': 'cross-site' }),
        await send({ 'Content-Type': 'text/plain' }),
        await send({ 'Content-Type': 'application/x-www-form-urlencoded' }),
        await send(json, JSON.stringify({ ...body, username: 'x'.repeat(17_000) })),
      ];
      const url = await fetch(`${service.url}/console/setup?token=${String(body.token)}`, { method: 'POST' });
      const created = await usernames(service);
      await service.stop();
      const secure = await start({ REQUIRE_HTTPS: 'on' });
      const plain = await setUp(secure, body);
      await secure.stop();
      expect(statuses).toEqual([400, 400, 400, 415, 415, 413]);
      expect([url.status, plain.status, created]).toEqual([400, 403, []]);
    });

    it.each([['with ADMIN_API_KEY', { ADMIN_API_KEY: 'k'.repeat(32) }]])(
      '%s nothing is printed, and the route is 404',
      async (_, settings) => {
        const service = await start(settings);
        const answer = await setUp(service, { token: 'x', ...person });
        await service.stop();
        expect([link(), answer.status]).toEqual([undefined, 404]);
      },
    );

    it('is refused during maintenance, while the page is served', async () => {
      const service = await start({ MAINTENANCE: '300' });
      const answer = await setUp(service, { token: link(), ...person });
      const page = await fetch(`${service.url}/console/setup`);
      await service.stop();
      expect([answer.status, page.status]).toEqual([503, 200]);
    });

    it('npm run admin -- setup-link prints another link, which ends the first one, while there is no user', async () => {
      const service = await start();
      const first = link();
      const lines: unknown[] = [];
      const more = { setupBaseUrl: BASE_URL, audit: (...line: unknown[]) => void lines.push(line) };
      const context = operationContext(under.config, schemaOf(composed({ collections })), more);
      const print = (): Promise<string> => runOperation(userOperations, ['setup-link'], () => context);
      const [, second] = /\/console\/setup#(\S+)$/.exec(await print()) ?? [];
      const statuses = [];
      for (const token of [first, second]) statuses.push((await setUp(service, { token, ...person })).status);
      await expect(print()).rejects.toThrow('A user exists already, so there is nothing to set up.');
      await service.stop();
      expect([statuses, lines]).toEqual([[401, 201], [['setup_link_made', null]]]);
    });

    it('setup-link explains why a service offers no setup', async () => {
      const context = operationContext(under.config, schemaOf(composed({ collections })));
      const print = runOperation(userOperations, ['setup-link'], () => context);
      await expect(print).rejects.toThrow('npm run admin -- create <username>');
    });

    it('a later start prints no link, and a token of the first start still works', async () => {
      await (await start()).stop();
      const token = link();
      printed = [];
      const service = await start();
      const created = await setUp(service, { token, ...person });
      await service.stop();
      expect([link(), created.status]).toEqual([undefined, 201]);
    });
  },
);
