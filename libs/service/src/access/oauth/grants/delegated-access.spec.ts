import type { CreatedApiKey, Scope } from '@items/dtos/contract';
import { Browser, type HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { permissions } from '../../../service/testing/fixture.testing.js';
import { refusal } from '../../../service/testing/start-fixture.testing.js';
import { codeOf, startCodeFlow, type CodeFlow, type Tokens } from '../testing/code-flow.testing.js';

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
    flow = base.for(await base.register({ name: 'Office', scopes: permissions.scopes }));
    const browser = new Browser(flow.oauth.baseUrl);
    const page = await flow.logIn(browser, { scope: permissions.scopes.join(' ') }, ADMIN);
    consent = page.text;
    tokens = (await (await flow.exchange(codeOf(await browser.submit(page, { decision: 'allow' })))).json()) as Tokens;
    app = flow.oauth.bearer(tokens.access_token);
  });
  afterAll(() => flow.oauth.close());

  it('is granted every scope except those only for administrators, and the page does not offer these', async () => {
    expect(tokens.scope.split(' ').sort()).toEqual(permissions.scopes.filter((scope) => !NEVER.includes(scope)).sort());
    for (const scope of NEVER) expect(consent).not.toContain(scope);
    const { grants } = (await flow.oauth.basic(ADMIN).get('/users/me/grants')).json() as {
      grants: { scopes: string[] }[];
    };
    for (const scope of NEVER) expect(grants[0]?.scopes).not.toContain(scope);
  });

  it('is described on the page by its permissions', () => {
    expect(consent).toContain('See notes');
    expect(consent).toContain('Create, change and delete notes');
  });

  it('reads the notes of its user and the user, neither the notes of others nor other users', async () => {
    expect((await app.get('/users/me/notes')).status).toBe(200);
    expect((await app.get('/users/me')).status).toBe(200);
    expect(refusal(await app.get(`/users/${otherId}/notes`))).toEqual([403, 'not_owner']);
    expect(refusal(await app.get(`/users/${otherId}`))).toEqual([403, 'not_owner']);
    expect(refusal(await app.get('/users'))).toEqual([403, 'not_owner']);
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

  it('creates keys with its own rights, and gets no secret of a key that it has not created', async () => {
    const answer = await app.post('/api-keys', { name: 'of the office', scopes: ['notes:read', 'keys:manage'] });
    expect(answer.status).toBe(201);
    const { id, key } = answer.json() as CreatedApiKey;
    const made = app.withOptions({ headers: [['X-API-Key', key]] });
    expect((await made.get('/users/me/notes')).status).toBe(200);
    expect(refusal(await made.get(`/users/${otherId}/notes`))).toEqual([403, 'not_owner']);
    expect(refusal(await made.get('/sessions'))).toEqual([403, 'delegated_credential']);
    expect((await app.post(`/api-keys/${id}/rotations`, {})).status).toBe(201);
    const own = await flow.oauth.basic(ADMIN).post('/api-keys', { name: 'own', scopes: ['notes:read'] });
    const rotation = `/api-keys/${(own.json() as CreatedApiKey).id}/rotations`;
    for (const application of [app, made]) {
      expect(refusal(await application.post(rotation, {}))).toEqual([404, 'api_key_not_found']);
    }
  });
});
