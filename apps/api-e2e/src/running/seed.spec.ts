import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { HttpClient, startApp, type RunningApp } from '@items/testing';

import { databaseUnderTest, describeStarted } from '../harness/service.js';

const SCRIPT = join(__dirname, '../../../../tools/seed.ts');

/** Variables that locate programs and packages; no settings of the service. */
const inherited = Object.fromEntries(
  ['PATH', 'NODE_PATH'].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);

/** Returns the sentences of `npm run seed`, and whether it succeeded. */
function seed(env: Readonly<Record<string, string>>): Promise<{ ok: boolean; text: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT], { env: { ...inherited, ...env } }, (error, stdout, stderr) => {
      resolve({ ok: error === null, text: stdout + stderr });
    });
  });
}

describeStarted('Running: npm run seed', () => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest() });
  });
  afterAll(() => app.stop());

  it('creates items, a member and an order of the member, and nothing when it is repeated', async () => {
    const admin = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
    const totals = async (): Promise<unknown[]> => {
      const pages = await Promise.all(['/items', '/users', '/orders'].map((path) => admin.get(path)));
      return pages.map((page) => (page.json() as { total: number }).total);
    };
    const env = { BASE_URL: app.baseUrl, ADMIN_API_KEY: app.adminKey };
    const first = await seed(env);
    expect(first).toEqual({ ok: true, text: expect.stringContaining('There are 48 demo items.') as string });
    expect(await totals()).toEqual([48, 1, 1]);

    const password = /has the password (\S+),/.exec(first.text)?.[1] ?? '';
    const login = await new HttpClient({ baseUrl: app.baseUrl }).post('/sessions', { username: 'demo', password });
    expect(login.status).toBe(201);

    const second = await seed(env);
    expect(second.text).toContain('The user "demo" already existed; their password is unchanged.');
    expect(await totals()).toEqual([48, 1, 1]);
  });

  it('names the missing variable in one sentence', async () => {
    const { ok, text } = await seed({ BASE_URL: app.baseUrl });
    expect(ok).toBe(false);
    expect(text).toBe('Set ADMIN_API_KEY to the key that the first start of the service has printed.\n');
  });

  it('reports a refused key', async () => {
    const { ok, text } = await seed({ BASE_URL: app.baseUrl, ADMIN_API_KEY: 'wrong' });
    expect(ok).toBe(false);
    expect(text).toContain('The credential is not valid.\n');
    expect(text).not.toContain('    at ');
  });
});
