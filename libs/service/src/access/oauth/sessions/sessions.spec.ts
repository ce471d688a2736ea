import type { CreatedSession, Role } from '@items/dtos/contract';
import type { ErrorBody } from '@items/conventions';
import { hashSecret } from '../../credentials/secrets/secret.js';
import { type Header, HttpClient } from '@items/testing';

import { permissions } from '../../../service/testing/fixture.testing.js';
import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { formOf, startOauth, type OauthUnderTest } from '../testing/oauth.testing.js';

/** Headers with invalid values: 400, which is checked after 403. SPEC §1.3 */
const FAULTS: readonly Header[] = [
  ['Api-Version', '1999-01-01'],
  ['If-Match', 'x'],
];
const UNKNOWN = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';

/** Returns the scopes of a role in the form of a token's `scope`. */
function scopesOf(role: Role): string {
  return permissions.scopes.filter((scope) => permissions.scopesOfRole(role).has(scope)).join(' ');
}

describeOnBothDatabases('Sessions (§5 Bearer token)', (under) => {
  let oauth: OauthUnderTest;
  let anonymous: HttpClient;

  beforeAll(async () => {
    oauth = await startOauth(under.config);
    anonymous = new HttpClient({ baseUrl: oauth.baseUrl });
    await oauth.addUser({ username: 'mary', role: 'member' });
  });
  afterAll(() => oauth.close());

  const logIn = async (body: object = {}): Promise<CreatedSession> => {
    const answer = await anonymous.post('/sessions', { username: 'mary', password: oauth.password, ...body });
    expect(answer.status).toBe(201);
    return answer.json() as CreatedSession;
  };
  const refresh = (token: string): Promise<Response> =>
    formOf(oauth.baseUrl, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: 'first-party',
    });
  const statusWith = async (token: string): Promise<number> => (await oauth.bearer(token).get('/items')).status;

  it('POST /sessions returns 201 with both tokens, their lifetimes and the granted scope, and is not cached', async () => {
    const answer = await anonymous.post('/sessions', { username: 'mary', password: oauth.password });
    const session = answer.json() as CreatedSession;
    expect(session).toEqual({
      id: expect.any(String),
      token_type: 'Bearer',
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: 900,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_expires_in: 2_592_000,
      scope: scopesOf('member'),
    });
    expect(answer.header('cache-control')).toBe('no-store');
    expect(answer.header('location')).toBe(`/sessions/${session.id}`);
    expect(await statusWith(session.access_token)).toBe(200);
  });

  it('the granted scope omits scopes that the user does not have', async () => {
    const session = await logIn({ scope: 'items:read clients:manage' });
    expect(session.scope).toBe('items:read');
    const answer = await oauth.bearer(session.access_token).post('/items', { name: 'x' });
    expect(answer.status).toBe(403);
  });

  it.each([
    ['an unknown user', { username: 'stranger' }],
    ['a wrong password', { password: 'wrong password' }],
  ])('%s is 401, with the same response', async (_what, body) => {
    const answer = await anonymous.post('/sessions', { username: 'mary', password: oauth.password, ...body });
    expect(answer.status).toBe(401);
    expect(answer.text).toBe('{"error":"The credential is not valid.","code":"unauthorized"}');
  });

  it('a repetition with the same Idempotency-Key is 409 secret_not_replayable with Location', async () => {
    const client = anonymous.withHeaders(['Idempotency-Key', 'login-1']);
    const first = await client.post('/sessions', { username: 'mary', password: oauth.password });
    const second = await client.post('/sessions', { username: 'mary', password: oauth.password });
    expect([first.status, second.status]).toEqual([201, 409]);
    expect(second.json()).toMatchObject({ code: 'secret_not_replayable' });
    expect(second.header('location')).toBe(first.header('location') ?? 'a place');
  });

  it('a token that is not valid is 401 with error="invalid_token"', async () => {
    const answer = await oauth.bearer('x'.repeat(43)).get('/items');
    expect(answer.status).toBe(401);
    expect(answer.all('www-authenticate')[0]).toContain('error="invalid_token"');
  });

  it('a refresh gives new tokens, and the former refresh token used again ends them all', async () => {
    const first = await logIn();
    const answer = await refresh(first.refresh_token);
    expect(answer.status).toBe(200);
    const second = (await answer.json()) as CreatedSession;
    expect(second).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: first.scope,
    });
    expect(await statusWith(second.access_token)).toBe(200);
    const reused = await refresh(first.refresh_token);
    expect(reused.status).toBe(400);
    expect(await reused.json()).toMatchObject({ error: 'invalid_grant', error_description: expect.any(String) });
    expect(await statusWith(first.access_token)).toBe(401);
    expect(await statusWith(second.access_token)).toBe(401);
    expect((await refresh(second.refresh_token)).status).toBe(400);
    expect(oauth.audited('reuse_detected')).toBe(true);
  });

  it('GET /sessions lists the caller’s sessions, and DELETE ends one immediately', async () => {
    const [kept, ended] = [await logIn(), await logIn()];
    const mine = oauth.bearer(kept.access_token);
    const list = (await mine.get('/sessions?sort=-created_at&limit=2')).json() as { sessions: CreatedSession[] };
    expect(list.sessions.map(({ id }) => id)).toEqual([ended.id, kept.id]);
    expect(list.sessions[0]).toEqual({
      id: ended.id,
      user_id: expect.any(String),
      scope: ended.scope,
      last_used_at: null,
      expires_at: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await statusWith(ended.access_token)).toBe(200);
    expect((await mine.delete(`/sessions/${ended.id}`)).status).toBe(204);
    expect(await statusWith(ended.access_token)).toBe(401);
    expect((await refresh(ended.refresh_token)).status).toBe(400);
    expect((await mine.delete(`/sessions/${ended.id}`)).status).toBe(404);
    expect((await oauth.admin.delete(`/sessions/${ended.id}`)).status).toBe(404);
    expect(await statusWith(kept.access_token)).toBe(200);
  });

  it('a user can neither list nor end the sessions of another user', async () => {
    await oauth.addUser({ username: 'eve', role: 'member' });
    const own = await logIn();
    const eve = oauth.bearer((await logIn({ username: 'eve' })).access_token);
    const answer = await eve.delete(`/sessions/${own.id}`);
    expect([answer.status, (answer.json() as ErrorBody).code]).toEqual([403, 'not_owner']);
    for (const unknown of [UNKNOWN, 'x']) {
      const missing = await eve.delete(`/sessions/${unknown}`);
      expect([missing.status, (missing.json() as ErrorBody).code]).toEqual([404, 'session_not_found']);
    }
    const late = await eve.delete(`/sessions/${own.id}`, ...FAULTS);
    expect([late.status, (await eve.delete(`/sessions/${UNKNOWN}`, ...FAULTS)).status]).toEqual([403, 400]);
    const { sessions } = (await eve.get('/sessions')).json() as { sessions: CreatedSession[] };
    expect(sessions).toHaveLength(1);
    expect(await statusWith(own.access_token)).toBe(200);
  });

  it('a login with fewer scopes than its user sees and ends only its own session, and no approval', async () => {
    const [narrow, full] = [await logIn({ scope: 'items:read' }), await logIn()];
    const narrowed = oauth.bearer(narrow.access_token);
    const refused = await narrowed.delete(`/sessions/${full.id}`);
    expect([refused.status, (refused.json() as ErrorBody).code]).toEqual([403, 'narrowed_login']);
    for (const path of [`/sessions/${UNKNOWN}`, '/sessions/x', `/users/me/grants/${UNKNOWN}`, '/users/me/grants/x']) {
      const answer = await narrowed.delete(path);
      expect([path, answer.status, answer.text]).toEqual([path, 403, refused.text]);
      expect([path, (await narrowed.delete(path, ...FAULTS)).status]).toEqual([path, 403]);
    }
    const { sessions } = (await narrowed.get('/sessions')).json() as { sessions: CreatedSession[] };
    expect(sessions.map(({ id }) => id)).toEqual([narrow.id]);
    expect(await statusWith(full.access_token)).toBe(200);
    expect((await narrowed.delete(`/sessions/${narrow.id}`)).status).toBe(204);
    expect(await statusWith(narrow.access_token)).toBe(401);
  });

  it('an API key needs keys:manage for sessions and approvals', async () => {
    const key = async (scopes: readonly string[]): Promise<HttpClient> => {
      const made = await oauth.basic('mary').post('/api-keys', { name: 'probe', scopes });
      return anonymous.withHeaders(['X-API-Key', (made.json() as { key: string }).key]);
    };
    const { id } = await logIn();
    const [without, manager] = [await key(['items:read', 'items:write']), await key(['keys:manage'])];
    for (const path of ['/sessions', '/users/me/grants']) {
      expect([path, (await without.get(path)).status]).toEqual([path, 403]);
      expect([path, (await manager.get(path)).status]).toEqual([path, 200]);
      expect([path, (await without.delete(`${path}/${id}`)).status]).toEqual([path, 403]);
    }
    expect((await manager.delete(`/sessions/${id}`)).status).toBe(204);
    expect((await manager.delete(`/sessions/${UNKNOWN}`)).status).toBe(403);
  });

  it('a change of the password ends all sessions except the one that made it', async () => {
    await oauth.addUser({ username: 'paul' });
    const [kept, other] = [await logIn({ username: 'paul' }), await logIn({ username: 'paul' })];
    const change = { current_password: oauth.password, password: 'a new password, longer' };
    expect((await oauth.bearer(kept.access_token).put('/users/me/password', change)).status).toBe(204);
    expect(await statusWith(kept.access_token)).toBe(200);
    expect(await statusWith(other.access_token)).toBe(401);
    expect((await refresh(kept.refresh_token)).status).toBe(200);
    expect((await refresh(other.refresh_token)).status).toBe(400);
  });

  it('disabling a user, or taking a role away, takes effect immediately', async () => {
    const id = await oauth.addUser({ username: 'ruth', role: 'member' });
    const session = await logIn({ username: 'ruth' });
    await oauth.admin.put(`/users/${id}`, { username: 'ruth', role: 'viewer' });
    expect((await oauth.bearer(session.access_token).post('/items', { name: 'x' })).status).toBe(403);
    const renewed = (await (await refresh(session.refresh_token)).json()) as CreatedSession;
    expect(renewed.scope).toBe(scopesOf('viewer'));
    await oauth.admin.put(`/users/${id}`, { username: 'ruth', disabled: true });
    expect(await statusWith(renewed.access_token)).toBe(401);
    expect((await refresh(renewed.refresh_token)).status).toBe(400);
  });

  it('a token from before a change of the password ends no other user’s tokens', async () => {
    const id = await oauth.addUser({ username: 'carl', role: 'member' });
    const [outdated, other] = [await logIn({ username: 'carl' }), await logIn()];
    // This simulates a change by another process, which clears no cache here.
    await oauth.database.transaction((tx) =>
      tx.query('UPDATE user_passwords SET version = version + 1 WHERE user_id = $1', [id]),
    );
    await oauth.admin.put(`/users/${id}`, { username: 'carl', role: 'member' });
    expect(await statusWith(other.access_token)).toBe(200);
    const query = jest.spyOn(oauth.database, 'query');
    expect(await statusWith(outdated.access_token)).toBe(401);
    expect(await statusWith(other.access_token)).toBe(200);
    const asked = query.mock.calls.flatMap(([, values]) => values);
    query.mockRestore();
    expect(asked).toContain(hashSecret(outdated.access_token));
    expect(asked).not.toContain(hashSecret(other.access_token));
  });

  it('no token and no password is in the database or in the log', async () => {
    const session = await logIn();
    await refresh(session.refresh_token);
    const stored = JSON.stringify(
      await Promise.all(
        ['oauth_artifacts', 'oauth_authorizations', 'sessions', 'idempotency_records', 'settings'].map((table) =>
          under.database.query(`SELECT * FROM ${table}`),
        ),
      ),
    );
    for (const secret of [session.access_token, session.refresh_token, oauth.password]) {
      expect(stored).not.toContain(secret);
      expect(oauth.lines.join('')).not.toContain(secret);
    }
  });
});
