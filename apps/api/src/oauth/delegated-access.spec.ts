import { SCOPES, type CreatedApiKey, type Scope } from '@items/dtos/contract';
import { Browser, type HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../database/database.testing.js';
import { refusal } from '../users/users.testing.js';
import { codeOf, startCodeFlow, type CodeFlow, type Tokens } from './code-flow.testing.js';

const ADMIN = 'anna';
const NEVER: readonly Scope[] = ['users:write', 'clients:manage', 'webhooks:manage', 'audit:read'];

/** SPEC §3: a token of the authorization code flow never counts as `admin`. */
describeOnBothDatabases('An application to which an administrator has allowed everything', (under) => {
  let flow: CodeFlow;
  let consent: string;
  let tokens: Tokens;
  let app: HttpClient;
  let annaId: string;
  let otherId: string;

  beforeAll(async () => {
    const base = await startCodeFlow(under.config);
    annaId = await base.oauth.addUser({ username: ADMIN, name: 'Anna', role: 'admin' });
    otherId = await base.oauth.addUser({ username: 'paula', role: 'member' });
    flow = base.for(await base.register({ name: 'Office', scopes: SCOPES }));
    const browser = new Browser(flow.oauth.baseUrl);
    const page = await flow.logIn(browser, { scope: SCOPES.join(' ') }, ADMIN);
    consent = page.text;
    tokens = (await (await flow.exchange(codeOf(await browser.submit(page, { decision: 'allow' })))).json()) as Tokens;
    app = flow.oauth.bearer(tokens.access_token);
  });
  afterAll(() => flow.oauth.close());

  it('is granted every scope but those of administrators alone, and the page does not offer these', async () => {
    expect(tokens.scope.split(' ').sort()).toEqual(SCOPES.filter((scope) => !NEVER.includes(scope)).sort());
    for (const scope of NEVER) expect(consent).not.toContain(scope);
    const { grants } = (await flow.oauth.basic(ADMIN).get('/users/me/grants')).json() as {
      grants: { scopes: string[] }[];
    };
    for (const scope of NEVER) expect(grants[0]?.scopes).not.toContain(scope);
  });

  it('the page says whose orders it is about', () => {
    expect(consent).toContain('See your own orders');
    expect(consent).toContain('Place orders for you, confirm and cancel them');
  });

  it('reads the own orders and user, and neither those of others nor the list of users', async () => {
    expect((await app.get('/users/me/orders')).status).toBe(200);
    expect((await app.get('/users/me')).status).toBe(200);
    expect(refusal(await app.get(`/users/${otherId}/orders`))).toEqual([403, 'not_owner']);
    expect(refusal(await app.get(`/users/${otherId}`))).toEqual([403, 'not_owner']);
    expect(refusal(await app.get('/users'))).toEqual([403, 'not_owner']);
  });

  it('lists only the user’s own orders, and confirms and cancels these without shipping any', async () => {
    const made = async (client: HttpClient, target: string, body: object): Promise<{ id: string }> => {
      const answer = await client.post(target, body);
      expect([answer.text, answer.status]).toEqual([answer.text, 201]);
      return answer.json() as { id: string };
    };
    const item = await made(flow.oauth.basic(ADMIN), '/items', { name: 'Mug', price: 1 });
    const order = await made(app, '/users/me/orders', { lines: [{ item_id: item.id, quantity: 1 }] });
    const target = `/users/${annaId}/orders/${order.id}/transitions`;
    expect(refusal(await app.get('/orders'))).toEqual([403, 'not_owner']);
    expect(refusal(await app.get(`/orders?user_id=${annaId}`))).toEqual([403, 'not_owner']);
    await made(app, target, { to: 'confirmed' });
    expect(refusal(await app.post(target, { to: 'shipped' }))).toEqual([403, 'staff_only']);
    await made(flow.oauth.basic(ADMIN), target, { to: 'shipped' });
    expect(refusal(await app.post(target, { to: 'delivered' }))).toEqual([403, 'staff_only']);
  });

  it('changes and deletes no other user, and creates none', async () => {
    const user = { username: 'made', password: flow.oauth.password };
    expect(refusal(await app.put(`/users/${otherId}`, user))).toEqual([403, 'insufficient_scope']);
    expect(refusal(await app.delete(`/users/${otherId}`))).toEqual([403, 'insufficient_scope']);
    expect(refusal(await app.post('/users', user))).toEqual([403, 'insufficient_scope']);
  });

  it('changes nothing of its user', async () => {
    expect(refusal(await app.put('/users/me', { username: ADMIN }))).toEqual([403, 'insufficient_scope']);
    expect((await flow.oauth.basic(ADMIN).get(`/users/${annaId}`)).status).toBe(200);
  });

  it('sees only the API keys of its user', async () => {
    await flow.oauth.basic('paula').post('/api-keys', { name: 'of paula', scopes: ['items:read'] });
    expect((await app.get('/api-keys')).text).not.toContain('of paula');
  });

  it('makes keys that act as it does, and is shown no secret of a key that it has not made', async () => {
    const answer = await app.post('/api-keys', { name: 'of the office', scopes: ['orders:read', 'keys:manage'] });
    expect(answer.status).toBe(201);
    const { id, key } = answer.json() as CreatedApiKey;
    const made = app.having({ headers: [['X-API-Key', key]] });
    expect((await made.get('/users/me/orders')).status).toBe(200);
    expect(refusal(await made.get(`/users/${otherId}/orders`))).toEqual([403, 'not_owner']);
    expect(refusal(await made.get('/sessions'))).toEqual([403, 'delegated_credential']);
    expect((await app.post(`/api-keys/${id}/rotations`, {})).status).toBe(201);
    const own = await flow.oauth.basic(ADMIN).post('/api-keys', { name: 'own', scopes: ['orders:read'] });
    const rotation = `/api-keys/${(own.json() as CreatedApiKey).id}/rotations`;
    for (const application of [app, made]) {
      expect(refusal(await application.post(rotation, {}))).toEqual([404, 'api_key_not_found']);
    }
  });
});
