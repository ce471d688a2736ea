import { createHash } from 'node:crypto';

import { FaultServer, type Fault } from '@items/testing';

import { AuthenticationError, createClient } from '../index.js';
import { createLogin, LoginError, type Login } from './index.js';
import { memoryStorage } from './memory-storage.testing.js';

const CLIENT_ID = 'page';
const redirectUri = 'https://page.example/callback';
const answer = (status: number, body: object): Fault => ({ kind: 'answer', answer: { status, body } });

let server: FaultServer;
let storage = memoryStorage();
/** Number of issued token pairs. Only the newest pair is valid. */
let pairs = 0;
let forms: Record<string, string>[] = [];
let refusals: Fault[] = [];

beforeEach(async () => {
  server = await FaultServer.start();
  [storage, pairs, forms, refusals] = [memoryStorage(), 0, [], []];
  server.setPlan(({ path, headers, body }) => {
    if (path === '/items') {
      const isGood = headers['authorization'] === `Bearer a${String(pairs)}`;
      return isGood ? answer(200, { items: [] }) : answer(401, { error: 'No.', code: 'unauthorized' });
    }
    const form = Object.fromEntries(new URLSearchParams(body));
    forms.push({ path, ...form });
    const refusal = refusals.shift();
    if (refusal !== undefined) return refusal;
    if (path === '/oauth/revoke') return answer(200, {});
    if (form['grant_type'] === 'refresh_token' && form['refresh_token'] !== `r${String(pairs)}`) {
      return answer(400, { error: 'invalid_grant', error_description: 'Used before.' });
    }
    pairs += 1;
    return answer(200, { access_token: `a${String(pairs)}`, refresh_token: `r${String(pairs)}`, expires_in: 900 });
  });
});
afterEach(() => server.stop());

/** A newly loaded page. */
const page = (): Login =>
  createLogin({ baseUrl: server.baseUrl, clientId: CLIENT_ID, redirectUri, scopes: ['items:read'], storage });
const back = (url: string, changes: Record<string, string> = {}): URL => {
  const state = new URL(url).searchParams.get('state') ?? '';
  return new URL(
    `${redirectUri}?${String(new URLSearchParams({ code: 'c', state, iss: server.baseUrl, ...changes }))}`,
  );
};
const logIn = async () => page().finish(back(await page().start()));

describe('start and finish', () => {
  it('request a code with PKCE S256 and a state, and send the verifier with the code, without a secret', async () => {
    const url = new URL(await page().start());
    const { state, code_challenge: challenge, ...query } = Object.fromEntries(url.searchParams);
    expect(url.href.split('?')[0]).toBe(`${server.baseUrl}/oauth/authorize`);
    expect(query).toEqual({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: redirectUri,
      scope: 'items:read',
      code_challenge_method: 'S256',
    });
    expect(state).toMatch(/^[\w-]{43}$/);
    const auth = await page().finish(back(url.href));
    const { code_verifier: verifier = '', ...form } = forms[0] ?? {};
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(challenge);
    expect(form).toEqual({
      path: '/oauth/token',
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: redirectUri,
      client_id: CLIENT_ID,
    });
    await expect(createClient({ baseUrl: server.baseUrl, auth }).items.page()).resolves.toEqual({ items: [] });
  });

  it.each([
    ['another state', { state: 'x'.repeat(43) }, 'wrong_state'],
    ['no state', { state: '' }, 'wrong_state'],
    ['another issuer', { iss: 'https://evil.example' }, 'wrong_issuer'],
    ['an issuer with the same beginning', { iss: 'http://127.0.0.1' }, 'wrong_issuer'],
    ['no issuer', { iss: '' }, 'wrong_issuer'],
    ['a denial', { error: 'access_denied', error_description: 'Denied.' }, 'access_denied'],
  ])('refuse a response with %s, and send nothing', async (_, changes, code) => {
    const failure = page().finish(back(await page().start(), changes));
    await expect(failure).rejects.toMatchObject({ name: 'LoginError', code });
    expect(forms).toEqual([]);
    expect(await page().resume()).toBeUndefined();
  });

  it('return the same result for the same URL, concurrently and later in the same page', async () => {
    const url = back(await page().start());
    const [one, two] = await Promise.all([page().finish(url), page().finish(url.href)]);
    expect(two).toBe(one);
    expect(await page().finish(url)).toBe(one);
    expect(forms).toHaveLength(1);
    const denied = back(await page().start(), { error: 'access_denied' });
    for (let time = 0; time < 2; time += 1) {
      await expect(page().finish(denied)).rejects.toMatchObject({ code: 'access_denied' });
    }
  });

  it('accept a response once, even after a reload of the page, and even if the response was wrong', async () => {
    const url = back(await page().start());
    await page().finish(url);
    const former = storage;
    storage = memoryStorage();
    for (const key of former.keys()) storage.setItem(key, former.getItem(key) ?? '');
    await expect(page().finish(url)).rejects.toMatchObject({ code: 'wrong_state' });
    const other = await page().start();
    await expect(page().finish(back(other, { iss: 'https://evil.example' }))).rejects.toThrow(LoginError);
    await expect(page().finish(back(other))).rejects.toMatchObject({ code: 'wrong_state' });
    expect(forms).toHaveLength(1);
  });

  it('let two tabs with one storage log in concurrently', async () => {
    const [one, two] = [await page().start(), await page().start()];
    await page().finish(back(one));
    await page().finish(back(two));
    expect(forms).toHaveLength(2);
  });

  it('report the error of the token endpoint', async () => {
    refusals = [answer(400, { error: 'invalid_grant', error_description: 'The code has expired.' })];
    await expect(logIn()).rejects.toMatchObject({ code: 'invalid_grant', message: 'The code has expired.' });
    refusals = [{ kind: 'reset', done: true, afterBytes: 0 }];
    await expect(logIn()).rejects.toMatchObject({ code: 'no_answer' });
  });

  it('refuse a service over plain HTTP', () => {
    const make = (): Login => createLogin({ baseUrl: 'http://items.example', clientId: 'x', redirectUri, scopes: [] });
    expect(make).toThrow(TypeError);
  });
});

describe('a login in the storage', () => {
  it('continues after a reload', async () => {
    expect(await page().resume()).toBeUndefined();
    await logIn();
    const auth = await page().resume();
    expect(await auth?.token()).toBe('a1');
  });

  it('is refreshed once for all tabs', async () => {
    await logIn();
    const tabs = await Promise.all(Array.from({ length: 8 }, () => page().resume()));
    const clients = tabs.map((auth) => createClient({ baseUrl: server.baseUrl, auth }));
    await Promise.all(clients.map(({ items }) => items.page()));
    const former = storage.getItem(storage.keys()[0] ?? '') ?? '';
    expect(former).toContain('a1');
    // The service revokes the access token.
    pairs = 2;
    storage.setItem(storage.keys()[0] ?? '', former.replace('r1', 'r2'));
    await Promise.all(clients.map(({ items }) => items.page()));
    expect(forms.filter(({ grant_type }) => grant_type === 'refresh_token')).toHaveLength(1);
  });

  it('is refreshed once for two clients that share one auth', async () => {
    const auth = await logIn();
    const clients = [1, 2].map(() => createClient({ baseUrl: server.baseUrl, auth }));
    await Promise.all(clients.map(({ items }) => items.page()));
    expect(forms.filter(({ grant_type }) => grant_type === 'refresh_token')).toHaveLength(0);
    // The service revokes the access token.
    pairs = 2;
    const [key = ''] = storage.keys();
    storage.setItem(key, (storage.getItem(key) ?? '').replace('r1', 'r2'));
    await Promise.all(clients.map(({ items }) => items.page()));
    for (const { items } of clients) await items.page();
    expect(forms.filter(({ grant_type }) => grant_type === 'refresh_token')).toHaveLength(1);
  });

  it('survives one lost response to a refresh: the token is sent once more', async () => {
    const auth = await logIn();
    await auth.token();
    refusals = [{ kind: 'reset', done: true, afterBytes: 0 }];
    expect(await auth.token()).toBe('a2');
    expect(forms.slice(-2).map(({ refresh_token }) => refresh_token)).toEqual(['r1', 'r1']);
  });

  it('survives an unreachable service and a 429, and ends with its refresh token', async () => {
    await logIn();
    const auth = await page().resume();
    await auth?.token();
    const away: Fault = { kind: 'reset', done: false, afterBytes: 0 };
    refusals = [away, away, answer(429, { error: 'temporarily_unavailable' })];
    await expect(auth?.token()).rejects.toMatchObject({ code: 'no_answer' });
    await expect(auth?.token()).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(await auth?.token()).toBe('a2');
    refusals = [answer(400, { error: 'invalid_grant' })];
    await expect(auth?.token()).rejects.toThrow(AuthenticationError);
    expect(await page().resume()).toBeUndefined();
  });

  it('is deleted and revoked by logout, and deleted even if the service is unreachable', async () => {
    await logIn();
    await page().logout();
    expect(forms.at(-1)).toEqual({ path: '/oauth/revoke', token: 'r1', client_id: CLIENT_ID });
    expect(storage.keys()).toEqual([]);
    const auth = await logIn();
    refusals = [{ kind: 'reset', done: true, afterBytes: 0 }];
    await expect(page().logout()).rejects.toThrow(LoginError);
    expect(storage.keys()).toEqual([]);
    await expect(auth.token()).rejects.toThrow(AuthenticationError);
    const before = forms.length;
    await page().logout();
    expect(forms).toHaveLength(before);
  });
});
