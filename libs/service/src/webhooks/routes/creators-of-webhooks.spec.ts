import { HttpClient } from '@items/testing';
import type { CreatorRights } from '../definition/creator-reach.js';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { startService, type ServiceUnderTest } from '../../service/testing/start-fixture.testing.js';
import { creatorRights } from './creator-rights.js';
import { EVENT_KINDS, permissions, readers } from '../../service/testing/fixture.testing.js';

const DAY_MS = 86_400_000;
const HOOK = { url: 'https://hooks.example.com/', events: ['*'] };
const ITEMS = ['item.created', 'item.updated', 'item.deleted'];

interface Made {
  readonly id: string;
  readonly key: string;
  readonly secret: string;
}

describeOnBothDatabases('The creator of a webhook (SPEC §6.2)', (under) => {
  let running: ServiceUnderTest;
  let userId: string;
  let basic: HttpClient;
  let users = 0;

  beforeAll(async () => {
    running = await startService(under.config);
  });
  afterAll(() => running.service.app.close());

  beforeEach(async () => {
    const username = `creator-${String((users += 1))}`;
    userId = await running.addUser({ username, role: 'admin' });
    basic = running.basic(username);
  });

  async function made(client: HttpClient, path: string, body: object): Promise<Made> {
    const answer = await client.post(path, body);
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.json() as Made;
  }

  const withKey = (key: string): HttpClient =>
    new HttpClient({ baseUrl: running.baseUrl, headers: [['X-API-Key', key]] });

  async function changeUser(change: object): Promise<void> {
    const { username } = (await running.admin.get(`/users/${userId}`)).json() as { username: string };
    expect((await running.admin.put(`/users/${userId}`, { username, ...change })).status).toBe(200);
  }

  async function rightsOf({ id }: Made, nowMs?: number): Promise<CreatorRights | undefined> {
    const visibilityOf = readers.visibilityOf.bind(readers);
    return (await creatorRights(under.database, permissions, visibilityOf, [], nowMs)).get(id);
  }

  it('limits the events by the current scopes of the key', async () => {
    const scopes = ['items:read', 'webhooks:manage'];
    const key = await made(basic, '/api-keys', { name: 'Key', scopes });
    const webhook = await made(withKey(key.key), '/webhooks', HOOK);
    expect(await rightsOf(webhook)).toEqual({ all: [...ITEMS, 'webhook.disabled'], own: [], userId });
    const narrow = { name: 'Key', scopes: ['webhooks:manage'] };
    expect((await basic.put(`/api-keys/${key.id}`, narrow)).status).toBe(200);
    expect(await rightsOf(webhook)).toEqual({ all: ['webhook.disabled'], own: [], userId });
  });

  it('is sent nothing after its key has expired', async () => {
    const key = await made(basic, '/api-keys', {
      name: 'Key',
      scopes: ['items:read', 'webhooks:manage'],
      expires_at: new Date(Date.now() + DAY_MS).toISOString(),
    });
    const webhook = await made(withKey(key.key), '/webhooks', HOOK);
    expect(await rightsOf(webhook)).toMatchObject({ userId });
    expect(await rightsOf(webhook, Date.now() + 2 * DAY_MS)).toBe('silent');
  });

  it('decides by the current role of the user: a former administrator is sent their own events', async () => {
    const webhook = await made(basic, '/webhooks', HOOK);
    expect(await rightsOf(webhook)).toEqual({ all: EVENT_KINDS, own: [], userId });
    await changeUser({ role: 'member' });
    const now = await rightsOf(webhook);
    expect(now).toMatchObject({ all: ITEMS, userId });
    const own = typeof now === 'object' ? now.own : [];
    expect(own).toEqual(expect.arrayContaining(['note.created', 'user.updated']));
    expect(own).not.toContain('webhook.disabled');
  });

  it('is sent nothing while disabled; deleting the user deletes the webhook', async () => {
    const webhook = await made(basic, '/webhooks', HOOK);
    await changeUser({ disabled: true });
    expect(await rightsOf(webhook)).toBe('silent');
    await changeUser({ disabled: false });
    expect(await rightsOf(webhook)).toMatchObject({ all: EVENT_KINDS });
    expect((await running.admin.delete(`/users/${userId}`)).status).toBe(204);
    expect((await running.admin.get(`/webhooks/${webhook.id}`)).status).toBe(404);
    expect(await rightsOf(webhook)).toBeUndefined();
    const left = 'SELECT 1 FROM webhook_secrets WHERE webhook_id = $1';
    expect(await under.database.query(left, [webhook.id])).toEqual([]);
  });

  it('gets a secret that is stored only encrypted', async () => {
    const webhook = await made(basic, '/webhooks', HOOK);
    const rotated = await made(basic, `/webhooks/${webhook.id}/rotations`, { grace_seconds: 60 });
    await changeUser({});
    const tables = ['webhooks', 'webhook_secrets', 'events', 'settings'];
    const rows = await Promise.all(tables.map((table) => under.database.query(`SELECT * FROM ${table}`)));
    const stored = JSON.stringify(rows) + running.lines.join('\n');
    expect(stored).toContain(webhook.id);
    for (const secret of [webhook.secret, rotated.secret]) {
      expect(secret).toMatch(/^whsec_/);
      expect(stored).not.toContain(secret.slice('whsec_'.length));
    }
  });

  it('makes no event by disabling the webhook with PUT', async () => {
    const { id } = await made(basic, '/webhooks', HOOK);
    for (const disabled of [true, false, true]) {
      expect((await basic.put(`/webhooks/${id}`, { ...HOOK, disabled })).status).toBe(200);
    }
    const { events } = (await basic.get(`/events?object_id=${id}`)).json() as { events: unknown[] };
    expect(events).toEqual([]);
  });
});
