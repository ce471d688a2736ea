import type { HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { PASSWORD, refusal, startService, type ServiceUnderTest } from '../../service/testing/start-fixture.testing.js';

describeOnBothDatabases('Users', (under) => {
  let running: ServiceUnderTest;
  let admin: HttpClient;

  beforeAll(async () => {
    running = await startService(under.config);
    ({ admin } = running);
  });
  afterAll(() => running.service.app.close());

  it('POST /users returns 201 with the user, whose role is viewer, and never with the password', async () => {
    const answer = await admin.post('/users', { username: 'ada', password: PASSWORD, name: ' Ada ' });
    expect(answer.status).toBe(201);
    const user = answer.json() as { id: string };
    expect(user).toEqual({
      id: expect.any(String),
      username: 'ada',
      name: 'Ada',
      identity: null,
      email: null,
      role: 'viewer',
      disabled: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(answer.header('location')).toBe(`/users/${user.id}`);
    expect((await admin.get(`/users/${user.id}`)).json()).toEqual(user);
  });

  it.each([
    [{ username: 'x1' }, 'username'],
    [{ username: 'Ada' }, 'username'],
    [{ username: 'a:b' }, 'username'],
    [{ username: 'x'.repeat(65) }, 'username'],
    [{ password: 'short' }, 'password'],
    [{ password: 'x'.repeat(257) }, 'password'],
    [{ password: undefined }, 'password'],
    [{ email: 'nowhere' }, 'email'],
    [{ role: 'root' }, 'role'],
    [{ role: null }, 'role'],
    [{ disabled: 'no' }, 'disabled'],
  ])('a user that is created with %j is 422, naming the field', async (input, field) => {
    const answer = await admin.post('/users', { username: 'valid', password: PASSWORD, ...input });
    expect(refusal(answer)).toEqual([422, 'validation_failed']);
    expect((answer.json() as { details: { field: string }[] }).details.map((detail) => detail.field)).toEqual([field]);
  });

  it('a duplicate username is 409, on creation and on replacement; one of 8 concurrent creations succeeds', async () => {
    const id = await running.addUser({ username: 'first' });
    await running.addUser({ username: 'second' });
    expect(refusal(await admin.post('/users', { username: 'first', password: PASSWORD }))).toEqual([
      409,
      'username_taken',
    ]);
    expect(refusal(await admin.put(`/users/${id}`, { username: 'second' }))).toEqual([409, 'username_taken']);
    const racing = await Promise.all(
      Array.from({ length: 8 }, () => admin.post('/users', { username: 'racer', password: PASSWORD })),
    );
    expect(racing.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
  });

  it('PUT replaces: omitted name and email become null; role, disabled and password are unchanged', async () => {
    const id = await running.addUser({ username: 'put', name: 'Put', email: 'put@example.com', role: 'member' });
    const answer = await admin.put(`/users/${id}`, { id: 'ignored', username: 'put2' });
    expect(answer.json()).toMatchObject({
      id,
      username: 'put2',
      name: null,
      email: null,
      role: 'member',
      disabled: false,
    });
    expect((await running.basic('put2').get('/users/me')).status).toBe(200);
    expect((await running.basic('put').get('/users/me')).status).toBe(401);
    await admin.put(`/users/${id}`, { username: 'put2', disabled: true });
    expect((await admin.put(`/users/${id}`, { username: 'put2' })).json()).toMatchObject({ disabled: true });
    expect(refusal(await admin.put('/users/unknown', { username: 'put3' }))).toEqual([404, 'user_not_found']);
    expect((await admin.put(`/users/${id}`, { username: 'put3' }, ['If-Match', '"stale"'])).status).toBe(412);
  });

  it('users sort by username and created_at, and are filtered by role and disabled, with exact totals', async () => {
    await running.addUser({ username: 'zz-member', role: 'member', disabled: true });
    const page = (await admin.get('/users?sort=-username&role=member&disabled=true')).json() as {
      users: { username: string }[];
      total: number;
    };
    expect(page.total).toBe(page.users.length);
    expect(page.users[0]?.username).toBe('zz-member');
    const all = (await admin.get('/users?role=viewer,member,admin&per_page=100')).json() as typeof page;
    expect([all.total, all.users.length]).toEqual([
      ((await admin.get('/users')).json() as typeof page).total,
      all.total,
    ]);
    expect((await admin.get('/users?sort=role')).status).toBe(400);
  });

  it('non-admins read only themselves: others are 403 whether or not they exist', async () => {
    const [own, other] = [
      await running.addUser({ username: 'self', role: 'member' }),
      await running.addUser({ username: 'other' }),
    ];
    const self = running.basic('self');
    const { scopes, ...me } = (await self.get('/users/me')).json() as { scopes: string[] };
    expect(me).toEqual((await self.get(`/users/${own}`)).json());
    expect(scopes).toContain('items:write');
    for (const path of ['/users', `/users/${other}`, '/users/unknown', '/users/0190f3a5-7bbb-7ccc-8ddd-0123456789ab']) {
      expect([path, ...refusal(await self.get(path))]).toEqual([path, 403, 'not_owner']);
    }
    for (const path of [`/users/${own}`, `/users/${other}`, '/users/me']) {
      expect(refusal(await self.put(path, {}))).toEqual([403, 'insufficient_scope']);
      expect(refusal(await self.delete(path))).toEqual([403, 'insufficient_scope']);
    }
    expect(refusal(await self.post('/users', {}))).toEqual([403, 'insufficient_scope']);
  });

  it("another user's resources are 403 before an unknown Api-Version is 400 (§1.3)", async () => {
    const own = await running.addUser({ username: 'versioned', role: 'member' });
    const self = running.basic('versioned');
    for (const path of ['/users', '/users/unknown']) {
      const answer = await self.get(path, ['Api-Version', '1999-01-01']);
      expect([path, ...refusal(answer)]).toEqual([path, 403, 'not_owner']);
    }
    const answer = await self.get(`/users/${own}`, ['Api-Version', '1999-01-01']);
    expect(refusal(answer)).toEqual([400, 'unsupported_api_version']);
  });

  it('/users/me is 404 for a credential without a user', async () => {
    expect(refusal(await admin.get('/users/me'))).toEqual([404, 'user_not_found']);
    const change = { current_password: 'x', password: PASSWORD };
    expect(refusal(await admin.put('/users/me/password', change))).toEqual([404, 'user_not_found']);
  });

  it('a caller without all scopes of a role can neither assign it nor take over its users: 403', async () => {
    const key = (await admin.post('/api-keys', { name: 'x', scopes: ['users:write'] })).json() as { key: string };
    const narrow = admin.withOptions({ headers: [['X-API-Key', key.key]] });
    const boss = await running.addUser({ username: 'narrow-boss', role: 'admin' });
    const viewer = await running.addUser({ username: 'narrow-viewer' });
    const escalated = [403, 'scope_escalation'];
    for (const role of ['member', 'admin']) {
      expect(refusal(await narrow.post('/users', { username: 'mole', password: PASSWORD, role }))).toEqual(escalated);
      expect(refusal(await narrow.put(`/users/${viewer}`, { username: 'mole', role }))).toEqual(escalated);
    }
    const takeover = { username: 'narrow-boss', password: 'stolen stolen' };
    expect(refusal(await narrow.put(`/users/${boss}`, takeover))).toEqual(escalated);
    expect(refusal(await narrow.put('/users/unknown', takeover))).toEqual(escalated);
    expect((await narrow.put(`/users/${viewer}`, { username: 'narrow-viewer', password: PASSWORD })).status).toBe(200);
    expect((await narrow.post('/users', { username: 'narrow-new', password: PASSWORD })).status).toBe(201);
  });

  it('a change of role takes effect immediately, for Basic and for keys', async () => {
    const id = await running.addUser({ username: 'climber', role: 'member' });
    const climber = running.basic('climber');
    const made = (await climber.post('/api-keys', { name: 'x', scopes: ['items:read', 'items:write'] })).json() as {
      key: string;
    };
    const key = admin.withOptions({ headers: [['X-API-Key', made.key]] });
    for (const client of [climber, key]) expect((await client.post('/items', { name: 'x' })).status).toBe(201);
    await admin.put(`/users/${id}`, { username: 'climber', role: 'viewer' });
    for (const client of [climber, key]) expect((await client.post('/items', { name: 'x' })).status).toBe(403);
    for (const client of [climber, key]) expect((await client.get('/items')).status).toBe(200);
    await admin.put(`/users/${id}`, { username: 'climber', disabled: true });
    for (const client of [climber, key]) expect((await client.get('/items')).status).toBe(401);
  });

  it('users can change their own password with the current one, which stops working immediately', async () => {
    await running.addUser({ username: 'changer' });
    const changer = running.basic('changer');
    const password = 'a new: pass wörd';
    const wrong = await changer.put('/users/me/password', { current_password: 'wrong', password });
    expect(refusal(wrong)).toEqual([422, 'validation_failed']);
    const changed = await changer.put('/users/me/password', { current_password: PASSWORD, password });
    expect([changed.status, changed.text]).toEqual([204, '']);
    expect((await changer.get('/users/me')).status).toBe(401);
    expect((await running.basic('changer', password).get('/users/me')).status).toBe(200);
  });

  it('one of 4 concurrent changes of one password succeeds', async () => {
    await running.addUser({ username: 'quick' });
    const quick = running.basic('quick');
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        quick.put('/users/me/password', { current_password: PASSWORD, password: `password number ${String(n)}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  });

  it('deleting a user ends their keys and their password', async () => {
    const id = await running.addUser({ username: 'leaver', role: 'member' });
    const leaver = running.basic('leaver');
    const made = (await leaver.post('/api-keys', { name: 'x', scopes: ['items:read'] })).json() as {
      id: string;
      key: string;
    };
    const key = admin.withOptions({ headers: [['X-API-Key', made.key]] });
    for (const client of [leaver, key]) expect((await client.get('/items')).status).toBe(200);
    expect((await admin.delete(`/users/${id}`)).status).toBe(204);
    for (const client of [leaver, key]) expect((await client.get('/items')).status).toBe(401);
    expect((await admin.get(`/api-keys/${made.id}`)).status).toBe(404);
    expect(await under.database.query('SELECT 1 FROM user_passwords WHERE user_id = $1', [id])).toEqual([]);
    expect(await under.database.query('SELECT 1 FROM api_key_secrets WHERE api_key_id = $1', [made.id])).toEqual([]);
  });

  it('the last enabled admin can be neither deleted, demoted nor disabled: 409', async () => {
    const id = await running.addUser({ username: 'only', role: 'admin' });
    await disableAdminsBut(id);
    await running.addUser({ username: 'asleep', role: 'admin', disabled: true });
    const last = [409, 'last_admin'];
    expect(refusal(await admin.delete(`/users/${id}`))).toEqual(last);
    expect(refusal(await admin.put(`/users/${id}`, { username: 'only', role: 'member' }))).toEqual(last);
    expect(refusal(await admin.put(`/users/${id}`, { username: 'only', disabled: true }))).toEqual(last);
    expect((await admin.get(`/users/${id}`)).json()).toMatchObject({ role: 'admin', disabled: false });
    expect((await admin.put(`/users/${id}`, { username: 'only', name: 'Renamed' })).status).toBe(200);
  });

  async function disableAdminsBut(id: string): Promise<void> {
    const { users } = (await admin.get('/users?role=admin&disabled=false')).json() as {
      users: { id: string; username: string }[];
    };
    for (const user of users) {
      if (user.id !== id) await admin.put(`/users/${user.id}`, { username: user.username, disabled: true });
    }
  }

  it('one admin is left after 16 concurrent requests that remove admins', async () => {
    const ids = await Promise.all(
      Array.from({ length: 15 }, (_, n) => running.addUser({ username: `admin-${String(n)}`, role: 'admin' })),
    );
    const page = (await admin.get('/users?role=admin&disabled=false')).json() as {
      users: { id: string; username: string }[];
    };
    expect(page.users).toHaveLength(16);
    const answers = await Promise.all(
      page.users.map(({ id, username }, n) =>
        n % 3 === 0
          ? admin.delete(`/users/${id}`)
          : admin.put(`/users/${id}`, { username, ...(n % 3 === 1 ? { role: 'viewer' } : { disabled: true }) }),
      ),
    );
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(15);
    expect(((await admin.get('/users?role=admin&disabled=false')).json() as { total: number }).total).toBe(1);
    expect(ids).toHaveLength(15);
  });

  it('POST /users is idempotent, and the stored request does not reveal the password', async () => {
    const header = ['Idempotency-Key', 'user-once'] as const;
    const body = { username: 'once', password: PASSWORD };
    const first = await admin.post('/users', body, header);
    const second = await admin.post('/users', body, header);
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect((await admin.post('/users', { ...body, password: 'another password' }, header)).status).toBe(422);
  });

  it('no password is in the database or in the log', async () => {
    for (const table of ['users', 'users_versions', 'user_passwords', 'idempotency_records', 'audit_events']) {
      expect(JSON.stringify(await under.database.query(`SELECT * FROM ${table}`))).not.toContain(PASSWORD);
    }
    expect(running.lines.join('')).not.toContain(PASSWORD);
    expect(running.lines.join('')).not.toContain(Buffer.from(`self:${PASSWORD}`).toString('base64'));
    const audited = running.lines.map((line) => JSON.parse(line) as { audit?: true; event?: string });
    const events = new Set(audited.filter(({ audit }) => audit).map(({ event }) => event));
    for (const event of ['login_failed', 'login_succeeded']) expect(events).toContain(event);
  });
});
