import { randomUUID } from 'node:crypto';

import type { AuditEvent, CreatedClient } from '@items/dtos/contract';
import { type Answer, Browser, HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import {
  CALLBACK,
  codeOf,
  startCodeFlow,
  type CodeFlow,
  type Tokens,
} from '../../access/oauth/testing/code-flow.testing.js';

type Actor = AuditEvent['actor'];
/** An audit record without id and time. */
type Told = readonly [type: string, id: string, changed: readonly string[]];

interface Page {
  readonly audit_events: readonly AuditEvent[];
  readonly next_cursor?: string;
  readonly after: string;
}

const ADMIN: Actor = { type: 'api_key', user_id: null, credential_id: 'admin', client_id: null };
const HOOK = { url: 'https://127.0.0.1:9/', events: ['item.created'] };

describeOnBothDatabases('The audit (SPEC §6.3)', (under) => {
  let flow: CodeFlow;
  let admin: HttpClient;
  let end = '';

  beforeAll(async () => {
    flow = await startCodeFlow(under.config, { WEBHOOK_ALLOW: '127.0.0.0/8', EVENTS: 'on' });
    ({ admin } = flow.oauth);
    await flow.oauth.addUser({ username: 'another', role: 'admin' });
  });
  afterAll(() => flow.oauth.close());

  const page = async (query = ''): Promise<Page> => {
    const answer = await admin.get(`/audit-events?${query}`);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return answer.json() as Page;
  };

  /**
   * Returns the new records. PostgreSQL shows records only if no older transaction of the server is open, such as one
   * of another test.
   */
  async function recorded(atLeast = 1): Promise<readonly AuditEvent[]> {
    const found: AuditEvent[] = [];
    for (let reads = 0; reads < 5; reads += 1) {
      const wait = found.length < atLeast ? '&wait=5' : '';
      const { audit_events: records, after } = await page(`limit=100&after=${end}${wait}`);
      end = after;
      found.push(...records);
      if (found.length >= atLeast) break;
    }
    return found;
  }

  beforeEach(async () => {
    let { after, audit_events: records } = await page('limit=100');
    while (records.length > 0) ({ after, audit_events: records } = await page(`limit=100&after=${after}`));
    end = after;
  });

  /** Expects exactly these records of an action, byte for byte. */
  async function expectTold(
    by: Actor,
    act: Promise<Answer>,
    told: (answer: Answer) => readonly Told[],
  ): Promise<Answer> {
    const answer = await act;
    expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
    const request_id = by.type === 'system' ? null : answer.header('x-request-id');
    const changes = told(answer);
    const records = await recorded(changes.length);
    const expected = changes.map(([type, id, changed], index) => ({
      id: records[index]?.id,
      type,
      timestamp: records[index]?.timestamp,
      actor: by,
      address: '127.0.0.1',
      request_id,
      object: { type: type.replace(/\..*/, ''), id },
      changed,
    }));
    expect(JSON.stringify(records)).toBe(JSON.stringify(expected));
    return answer;
  }

  const idOf = (answer: Answer): string => (answer.json() as { id: string }).id;
  const created = (type: string) => (answer: Answer) => [[`${type}.created`, idOf(answer), []] as const];
  const one =
    (type: string, id: string, ...changed: string[]) =>
    (): readonly Told[] => [[type, id, changed]];
  const newUser = async (role = 'admin'): Promise<{ id: string; username: string; client: HttpClient }> => {
    const username = `u-${randomUUID().slice(0, 8)}`;
    const id = await flow.oauth.addUser({ username, role });
    await recorded();
    return { id, username, client: flow.oauth.basic(username) };
  };
  const madeBy = async <T>(client: HttpClient, path: string, body: object): Promise<T> => {
    const answer = await client.post(path, body);
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.json() as T;
  };

  it('items: one audit event per change, with the names of the changed fields', async () => {
    const id = idOf(await expectTold(ADMIN, admin.post('/items', { name: 'Mug', price: 5 }), created('item')));
    const path = `/items/${id}`;
    const second = { name: 'Cup', price: 6, color: 'red' };
    await expectTold(ADMIN, admin.put(path, second), one('item.updated', id, 'color', 'name', 'price'));
    await expectTold(ADMIN, admin.put(path, second), one('item.updated', id));
    await expectTold(ADMIN, admin.delete(path), one('item.deleted', id));
    const { events } = (await admin.get(`/events?object_id=${id}`)).json() as {
      events: { id: string; type: string }[];
    };
    const { audit_events: records } = await page(`object_id=${id}`);
    expect(records.map((record) => [record.id, record.type])).toEqual(events.map((event) => [event.id, event.type]));
  });

  it('a refused or replayed request makes no audit event', async () => {
    const key = ['Idempotency-Key', randomUUID()] as const;
    await expectTold(ADMIN, admin.post('/items', { name: 'Once' }, key), created('item'));
    expect((await admin.post('/items', { name: 'Once' }, key)).header('idempotent-replayed')).toBe('true');
    expect((await admin.post('/items', { name: 'Other' }, key)).status).toBe(422);
    expect((await admin.post('/items', { name: '' })).status).toBe(422);
    expect((await admin.put(`/items/${randomUUID()}`, { name: 'x' })).status).toBe(404);
    expect((await admin.delete(`/items/${randomUUID()}`)).status).toBe(404);
    expect((await flow.oauth.key('no key').post('/items', { name: 'x' })).status).toBe(401);
    expect(await recorded(0)).toEqual([]);
  });

  it('users: changes, passwords, and everything deleted with a user', async () => {
    const username = `u-${randomUUID().slice(0, 8)}`;
    const made = admin.post('/users', { username, password: flow.oauth.password, role: 'admin' });
    const id = idOf(await expectTold(ADMIN, made, created('user')));
    const path = `/users/${id}`;
    const self: Actor = { type: 'user', user_id: id, credential_id: null, client_id: null };
    const client = flow.oauth.basic(username);
    const change = { current_password: flow.oauth.password, password: `${flow.oauth.password} 2` };
    await expectTold(self, client.put('/users/me/password', change), one('user.password_changed', id, 'password'));
    const reset = { username, password: flow.oauth.password };
    await expectTold(ADMIN, admin.put(path, reset), one('user.password_changed', id, 'password'));
    const both = { ...reset, name: 'Ann' };
    await expectTold(ADMIN, admin.put(path, both), one('user.updated', id, 'name', 'password'));
    await expectTold(
      ADMIN,
      admin.put(path, { username, name: 'Ann', disabled: true }),
      one('user.updated', id, 'disabled'),
    );
    await expectTold(
      ADMIN,
      admin.put(path, { username, name: 'Ann', disabled: false }),
      one('user.updated', id, 'disabled'),
    );
    const key = await madeBy<{ id: string; key: string }>(client, '/api-keys', {
      name: 'Key',
      scopes: ['items:read', 'webhooks:manage'],
    });
    const ofUser = await madeBy<{ id: string }>(client, '/webhooks', HOOK);
    const ofKey = await madeBy<{ id: string }>(flow.oauth.key(key.key), '/webhooks', HOOK);
    await madeBy(new HttpClient({ baseUrl: flow.oauth.baseUrl }), '/sessions', {
      username,
      password: flow.oauth.password,
    });
    await recorded(4);
    const answer = await admin.delete(path);
    expect(answer.status).toBe(204);
    const records = await recorded(4);
    expect(records[0]).toMatchObject({ type: 'user.deleted', object: { type: 'user', id } });
    const told = records.map((record) => `${record.type} ${record.object.id}`).sort();
    expect(told).toEqual(
      [
        `api_key.deleted ${key.id}`,
        `user.deleted ${id}`,
        `webhook.deleted ${ofUser.id}`,
        `webhook.deleted ${ofKey.id}`,
      ].sort(),
    );
    for (const record of records) {
      expect([record.actor, record.request_id, record.changed]).toEqual([ADMIN, answer.header('x-request-id'), []]);
    }
  });

  it('members of a user: changes by a key of the user', async () => {
    const { id: user, client } = await newUser('member');
    const key = await madeBy<{ id: string; key: string }>(client, '/api-keys', { name: 'K', scopes: ['notes:write'] });
    await recorded();
    const by: Actor = { type: 'api_key', user_id: user, credential_id: key.id, client_id: null };
    const notes = `/users/${user}/notes`;
    const written = flow.oauth.key(key.key).post(notes, { text: 'Call the office.' });
    const note = idOf(await expectTold(by, written, created('note')));
    const change = admin.put(`${notes}/${note}`, { text: 'Call again.' });
    await expectTold(ADMIN, change, one('note.updated', note, 'text'));
    await expectTold(by, flow.oauth.key(key.key).delete(`${notes}/${note}`), one('note.deleted', note));
  });

  it.each([
    ['api_key', '/api-keys', { name: 'Key', scopes: ['items:read'] }, { name: 'Other', scopes: ['items:read'] }],
    [
      'client',
      '/clients',
      { name: 'Client', grant_types: ['client_credentials'], redirect_uris: [], scopes: ['items:read'] },
      { name: 'Other', grant_types: ['client_credentials'], redirect_uris: [], scopes: ['items:read'] },
    ],
    ['webhook', '/webhooks', { ...HOOK, description: 'One' }, { ...HOOK, description: 'Other' }],
  ])('%s: its changes, and rotations', async (type, path, body, other) => {
    const made = await expectTold(ADMIN, admin.post(path, body), created(type));
    const id = idOf(made);
    const field = type === 'webhook' ? 'description' : 'name';
    await expectTold(ADMIN, admin.put(`${path}/${id}`, other), one(`${type}.updated`, id, field));
    const rotated = await expectTold(ADMIN, admin.post(`${path}/${id}/rotations`, {}), one(`${type}.rotated`, id));
    await expectTold(ADMIN, admin.delete(`${path}/${id}`), one(`${type}.deleted`, id));
    const rows = JSON.stringify(await under.database.query('SELECT * FROM audit_events'));
    for (const secrets of [made.json(), rotated.json()] as {
      key?: string;
      client_secret?: string;
      secret?: string;
    }[]) {
      const secret = secrets.key ?? secrets.client_secret ?? secrets.secret ?? '';
      expect(secret).not.toBe('');
      expect(rows + flow.oauth.lines.join()).not.toContain(secret);
    }
  });

  it('sessions: start and end by their user, and the sessions that a login ends', async () => {
    const { id: user, username } = await newUser('member');
    const logIn = (): Promise<Answer> =>
      new HttpClient({ baseUrl: flow.oauth.baseUrl }).post('/sessions', { username, password: flow.oauth.password });
    const by = (credential_id: string): Actor => ({
      type: 'user',
      user_id: user,
      credential_id,
      client_id: 'first-party',
    });
    const login = await logIn();
    const { id, access_token: token } = login.json() as { id: string; access_token: string };
    expect(await recorded()).toMatchObject([
      { type: 'session.created', actor: by(id), request_id: login.header('x-request-id'), object: { id } },
    ]);
    const item = flow.oauth.bearer(token).post('/items', { name: 'By a session' });
    await expectTold(by(id), item, created('item'));
    await expectTold(by(id), flow.oauth.bearer(token).delete(`/sessions/${id}`), one('session.deleted', id));
    const past = Date.now() - 60_000;
    const old = await flow.oauth.addSession(user, { created_at: past, expires_at: past + 1000 });
    for (let n = 1; n < 100; n += 1) await flow.oauth.addSession(user, { created_at: past, expires_at: past + 1e9 });
    await recorded();
    const again = await logIn();
    const records = await recorded(2);
    expect(records.map((record) => [record.type, record.object.id, record.actor, record.request_id])).toEqual([
      ['session.deleted', old, by(idOf(again)), again.header('x-request-id')],
      ['session.created', idOf(again), by(idOf(again)), again.header('x-request-id')],
    ]);
  });

  it('sessions: actor_id=first-party lists their records, and no others, also of one type and one object', async () => {
    const { username, client: basic } = await newUser('member');
    const login = await new HttpClient({ baseUrl: flow.oauth.baseUrl }).post('/sessions', {
      username,
      password: flow.oauth.password,
    });
    const { access_token: token } = login.json() as { access_token: string };
    const made = (await flow.oauth.bearer(token).post('/items', { name: 'By a session' })).json() as { id: string };
    const other = (await basic.post('/items', { name: 'By Basic' })).json() as { id: string };
    const listed = async (query: string): Promise<string[]> => {
      const page = await flow.oauth.admin.get(`/audit-events?sort=-timestamp&actor_id=first-party${query}`);
      expect(page.status).toBe(200);
      return (page.json() as { audit_events: { object: { id: string } }[] }).audit_events.map(
        ({ object }) => object.id,
      );
    };
    expect((await listed('&limit=1'))[0]).toBe(made.id);
    expect(await listed('')).not.toContain(other.id);
    expect((await listed('&type=item.created'))[0]).toBe(made.id);
    expect(await listed(`&object_id=${made.id}`)).toEqual([made.id]);
    expect(await listed(`&object_id=${other.id}`)).toEqual([]);
    expect(await listed(`&object_id=${made.id}&type=item.deleted`)).toEqual([]);
  });

  it('sessions: end by revocation at /oauth/revoke', async () => {
    const { id: user, username } = await newUser('member');
    const login = new HttpClient({ baseUrl: flow.oauth.baseUrl });
    const session = await madeBy<Tokens & { id: string }>(login, '/sessions', {
      username,
      password: flow.oauth.password,
    });
    await recorded();
    const revoked = await fetch(`${flow.oauth.baseUrl}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: session.refresh_token, client_id: 'first-party' }),
    });
    expect(revoked.status).toBe(200);
    expect(await recorded()).toMatchObject([
      {
        type: 'session.deleted',
        actor: { type: 'user', user_id: user, credential_id: session.id, client_id: 'first-party' },
        request_id: revoked.headers.get('x-request-id'),
        object: { type: 'session', id: session.id },
      },
    ]);
  });

  it('grants: approval, use by the application, and revocation with its keys', async () => {
    const { id: user, username, client: basic } = await newUser('member');
    const client = await flow.register({
      name: 'Shop',
      redirect_uris: [CALLBACK],
      scopes: ['items:write', 'keys:manage'],
    });
    await recorded();
    const shop = flow.for(client);
    const tokens = await approved(shop, username);
    const [given, ...more] = await recorded();
    const grant = given?.object.id ?? '';
    const nobody = { credential_id: null, client_id: null };
    expect(given).toMatchObject({
      type: 'grant.created',
      actor: { type: 'user', user_id: user, ...nobody },
      changed: [],
    });
    expect(more).toEqual([]);
    await approved(shop, username);
    expect(await recorded(0)).toEqual([]);
    const by: Actor = { type: 'user', user_id: user, credential_id: grant, client_id: client.client_id };
    const app = flow.oauth.bearer(tokens.access_token);
    await expectTold(by, app.post('/items', { name: 'By an application' }), created('item'));
    const key = await expectTold(by, app.post('/api-keys', { name: 'K', scopes: ['items:write'] }), created('api_key'));
    const byKey: Actor = { ...by, type: 'api_key', credential_id: idOf(key) };
    const { key: secret } = key.json() as { key: string };
    await expectTold(byKey, flow.oauth.key(secret).post('/items', { name: 'By its key' }), created('item'));
    const self: Actor = { type: 'user', user_id: user, ...nobody };
    await expectTold(self, basic.delete(`/users/me/grants/${grant}`), () => [
      ['grant.deleted', grant, []],
      ['api_key.deleted', idOf(key), []],
    ]);
  });

  it('grants end with the last refresh token that an application revokes, and stay while it has a key', async () => {
    const { id: user, username } = await newUser('member');
    const client = await flow.register({
      name: 'Shop',
      redirect_uris: [CALLBACK],
      scopes: ['items:write', 'keys:manage'],
    });
    const shop = flow.for(client);
    const revoke = async ({ refresh_token: token }: Tokens): Promise<string | null> => {
      const response = await fetch(`${flow.oauth.baseUrl}/oauth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token }),
        headers: flow.basic(client.client_id, client.client_secret),
      });
      expect(response.status).toBe(200);
      return response.headers.get('x-request-id');
    };
    await recorded();
    const first = await approved(shop, username);
    const [given] = await recorded();
    const grant = given?.object.id ?? '';
    const second = await approved(shop, username);
    await revoke(first);
    expect(await recorded(0)).toEqual([]);
    const requestId = await revoke(second);
    expect(await recorded()).toMatchObject([
      {
        type: 'grant.deleted',
        actor: { type: 'user', user_id: user, credential_id: grant, client_id: client.client_id },
        request_id: requestId,
        object: { type: 'grant', id: grant },
      },
    ]);
    const third = await approved(shop, username);
    await flow.oauth.bearer(third.access_token).post('/api-keys', { name: 'K', scopes: ['items:write'] });
    await recorded(2);
    await revoke(third);
    expect(await recorded(0)).toEqual([]);
  });

  it('clients: changes by a client on its own behalf', async () => {
    const client = await madeBy<CreatedClient>(admin, '/clients', {
      name: 'Robot',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scopes: ['items:write'],
    });
    await recorded();
    const answer = await fetch(`${flow.oauth.baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'items:write' }),
      headers: flow.basic(client.client_id, client.client_secret),
    });
    const { access_token: token } = (await answer.json()) as Tokens;
    expect(await recorded(0)).toEqual([]);
    const by: Actor = { type: 'client', user_id: null, credential_id: null, client_id: client.client_id };
    await expectTold(by, flow.oauth.bearer(token).post('/items', { name: 'By a robot' }), created('item'));
  });

  it('is filtered by the actor, the object and the type, and walked both ways', async () => {
    const { id: user, client } = await newUser('member');
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push(idOf(await client.post('/items', { name })));
    await client.delete(`/items/${String(ids[1])}`);
    await admin.put(`/items/${String(ids[0])}`, { name: 'by the admin' });
    const typesOf = async (query: string): Promise<string[]> =>
      (await page(query)).audit_events.map(({ type }) => type);
    const all = ['item.created', 'item.created', 'item.created', 'item.deleted'];
    expect(await typesOf(`actor_id=${user}`)).toEqual(all);
    expect(await typesOf(`actor_id=${user}&sort=-timestamp`)).toEqual([...all].reverse());
    expect(await typesOf(`actor_id=${user}&type=item.deleted`)).toEqual(['item.deleted']);
    expect(await typesOf(`actor_id=${user}&object_id=${String(ids[0])}`)).toEqual(['item.created']);
    expect(await typesOf(`object_id=${String(ids[0])}&type=item.updated&actor_id=admin`)).toEqual(['item.updated']);
    expect(await typesOf(`object_id=${String(ids[0])}`)).toEqual(['item.created', 'item.updated']);
    expect(await typesOf(`type=item.deleted&after=${end}`)).toEqual(['item.deleted']);
    expect(await typesOf(`actor_id=${randomUUID()}`)).toEqual([]);
    const first = await page(`actor_id=${user}&limit=3`);
    const rest = await page(`actor_id=${user}&limit=3&cursor=${String(first.next_cursor)}`);
    expect([...first.audit_events, ...rest.audit_events].map(({ type }) => type)).toEqual(all);
    const [record] = rest.audit_events;
    expect((await admin.get(`/audit-events/${String(record?.id)}`)).json()).toEqual(record);
    const refusalOf = async (query: string): Promise<unknown> => {
      const answer = await admin.get(`/audit-events?${query}`);
      const { code, details } = answer.json() as { code: string; details?: readonly { code: string }[] };
      return [answer.status, details?.[0]?.code ?? code];
    };
    expect(await refusalOf(`cursor=${String(first.next_cursor)}`)).toEqual([400, 'invalid_cursor']);
    expect(await refusalOf('actor_id=nobody')).toEqual([400, 'not_allowed']);
    expect(await refusalOf('type=item.lost')).toEqual([400, 'not_allowed']);
    expect(await refusalOf('page=1')).toEqual([400, 'unknown_parameter']);
    expect(await refusalOf(`after=${String(record?.id).replace(/.$/, 'x')}`)).toEqual([400, 'not_allowed']);
    expect(await refusalOf('after=019a9f59-d380-7000-8a17-3c5e2b7d8f40')).toEqual([400, 'expired_cursor']);
    expect((await admin.get(`/audit-events/${randomUUID()}`)).status).toBe(404);
    expect((await admin.post('/audit-events', {})).status).toBe(405);
  });

  it.each(['audit-events', 'events'] as const)('/%s is narrowed to a range of time, on every page', async (path) => {
    const list = path.replace('-', '_');
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      await madeBy(admin, '/items', { name: 'Timed' });
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    type Timed = { readonly id: string; readonly timestamp: string };
    const read = async (query: string): Promise<{ rows: readonly Timed[]; cursor?: string; link: string }> => {
      const answer = await admin.get(`/${path}?type=item.created&${query}`);
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      const body = answer.json() as Record<string, unknown> & { next_cursor?: string };
      const cursor = body.next_cursor;
      return {
        rows: body[list] as Timed[],
        link: answer.header('link') ?? '',
        ...(cursor !== undefined && { cursor }),
      };
    };
    const latest = (await read('sort=-timestamp&limit=5')).rows.toReversed();
    const [, second, , fourth] = latest.map(({ timestamp }) => timestamp);
    const range = `timestamp_min=${String(second)}&timestamp_max=${String(fourth)}`;
    const expected = latest.slice(1, 4).map(({ id }) => id);
    const first = await read(`${range}&limit=2`);
    expect(first.link).toContain(`timestamp_min=`);
    const rest = await read(`${range}&limit=2&cursor=${String(first.cursor)}`);
    ids.push(...[...first.rows, ...rest.rows].map(({ id }) => id));
    expect([ids, rest.cursor]).toEqual([expected, undefined]);
    const back = await read(`${range}&sort=-timestamp`);
    expect(back.rows.map(({ id }) => id)).toEqual(expected.toReversed());
    expect((await read(`timestamp_min=${String(fourth)}&timestamp_max=${String(second)}`)).rows).toEqual([]);
    expect((await read(`timestamp_max=1960-01-01T00:00:00Z`)).rows).toEqual([]);
    expect((await read(`timestamp_min=9999-12-31T23:59:59Z`)).rows).toEqual([]);
    const finer = String(second).replace('Z', '0001Z');
    expect((await read(`timestamp_min=${finer}&timestamp_max=${String(fourth)}`)).rows.map(({ id }) => id)).toEqual(
      expected.slice(1),
    );
    const other = await admin.get(`/${path}?type=item.created&timestamp_min=${finer}&cursor=${String(first.cursor)}`);
    expect([other.status, (other.json() as { code: string }).code]).toEqual([400, 'invalid_cursor']);
    expect((await admin.get(`/${path}?timestamp_min=2026-11-01`)).status).toBe(400);
  });

  it('supports long polls', async () => {
    const { after } = await page(`limit=1&after=${end}`);
    const waited = page(`after=${after}&wait=20&actor_id=admin&type=item.created`);
    const { id } = await madeBy<{ id: string }>(admin, '/items', { name: 'Awaited' });
    expect((await waited).audit_events).toMatchObject([{ type: 'item.created', object: { id } }]);
  });

  it('requires audit:read, which only administrators have', async () => {
    const { client: member } = await newUser('member');
    const answer = await member.get('/audit-events');
    expect([answer.status, (answer.json() as { error: string }).error]).toEqual([
      403,
      expect.stringContaining('audit:read'),
    ]);
    const { key } = await madeBy<{ key: string }>(admin, '/api-keys', { name: 'A', scopes: ['audit:read'] });
    expect((await flow.oauth.key(key).get('/audit-events')).status).toBe(200);
    const { client: other } = await newUser('admin');
    expect((await other.get('/audit-events?limit=1')).status).toBe(200);
  });

  async function approved(shop: CodeFlow, username: string): Promise<Tokens> {
    const browser = new Browser(flow.oauth.baseUrl);
    const shown = await shop.logIn(browser, { scope: 'items:write keys:manage' }, username);
    const left = shown.left === undefined ? await browser.submit(shown, { decision: 'allow' }) : shown;
    return (await (await shop.exchange(codeOf(left))).json()) as Tokens;
  }
});
