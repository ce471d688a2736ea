import { Browser, closingFetch, startApp, type RunningApp } from '@items/testing';

import { createClient, type ItemsClient } from '../index.js';
import { createLogin, type Login } from './index.js';
import { memoryStorage } from './memory-storage.testing.js';

const redirectUri = 'https://page.example/callback';
const password = 'correct horse battery staple';
let app: RunningApp;
let baseUrl: string;
let admin: ItemsClient;
let login: Login;
const storage = memoryStorage();

beforeAll(async () => {
  jest.spyOn(globalThis, 'fetch').mockImplementation(closingFetch);
  app = await startApp({ database: 'sqlite' });
  // Must equal the `issuer` of the service.
  baseUrl = `http://localhost:${String(app.port)}`;
  admin = createClient({ baseUrl, auth: { apiKey: app.adminKey } });
  await admin.users.create({ username: 'mary', password, role: 'member' });
  const { client_id: clientId } = await admin.clients.create({
    name: 'Page',
    redirect_uris: [redirectUri],
    scopes: ['items:read', 'items:write'],
    token_endpoint_auth_method: 'none',
  });
  login = createLogin({ baseUrl, clientId, redirectUri, scopes: ['items:read', 'items:write'], storage });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await app.stop();
});

/** Logs in on the pages of the service, and submits the decision on its consent page. */
async function cameBack(decision: 'allow' | 'deny'): Promise<URL> {
  const browser = new Browser(baseUrl);
  const consent = await browser.submit(await browser.get(await login.start()), { username: 'mary', password });
  const { left } = await browser.submit(consent, { decision });
  if (left === undefined) throw new Error('The browser did not return to the page');
  return left;
}

describe('a login with the real service', () => {
  it('authorizes calls, continues after a reload, is refreshed and revoked', async () => {
    const url = await cameBack('allow');
    const auth = await login.finish(url);
    const client = createClient({ baseUrl, auth });
    const mug = await client.items.create({ name: 'Mug' });
    expect(await login.finish(url)).toBe(auth);

    const resumed = await login.resume();
    const first = await resumed?.token();
    const second = await resumed?.token();
    expect(second).not.toBe(first);
    expect(await createClient({ baseUrl, auth: resumed }).items.get(mug.id)).toEqual(mug);

    await login.logout();
    const late = createClient({ baseUrl, auth: { token: second ?? '' } });
    await expect(late.items.page()).rejects.toMatchObject({ status: 401 });
    expect(await login.resume()).toBeUndefined();
  });

  it('a denied login is an access_denied error', async () => {
    const url = await cameBack('deny');
    await expect(login.finish(url)).rejects.toMatchObject({ name: 'LoginError', code: 'access_denied' });
  });
});
