import { HttpClient } from '@items/testing';

import { describeOnBothDatabases } from './database/database.testing.js';
import { PASSWORD, startService, type ServiceUnderTest } from './users/users.testing.js';

interface AuditLine {
  readonly audit?: true;
  readonly event: string;
  readonly actor: string | null;
  readonly subject: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly changed?: readonly string[];
  readonly because?: Readonly<Record<string, string>>;
}

describeOnBothDatabases('The audit log (docs/running.md)', (under) => {
  let running: ServiceUnderTest;

  beforeAll(async () => {
    running = await startService(under.config, { WEBHOOK_ALLOW: '127.0.0.0/8' });
  });
  afterAll(() => running.service.app.close());

  /** What is told of a change, but for logins. */
  async function told(change: () => Promise<{ readonly status: number; readonly text: string }>): Promise<AuditLine[]> {
    const before = running.lines.length;
    const { status, text } = await change();
    expect([status < 300, text]).toEqual([true, text]);
    const lines = running.lines.slice(before).map((line) => JSON.parse(line) as AuditLine);
    return lines.filter(({ audit, event }) => audit === true && !event.startsWith('login_'));
  }

  it('has one line for each change of a user, with who made it', async () => {
    const { admin } = running;
    const id = await running.addUser({ username: 'audited' });
    const path = `/users/${id}`;
    const created = running.lines.map((line) => JSON.parse(line) as AuditLine).filter(({ subject }) => subject === id);
    expect(created).toMatchObject([{ audit: true, event: 'user_created', address: '127.0.0.1' }]);
    const actor = created[0]?.actor;
    const own = { current_password: PASSWORD, password: `${PASSWORD} 2` };
    const changes: [string, () => ReturnType<typeof admin.get>][] = [
      ['password_changed', () => running.basic('audited').put('/users/me/password', own)],
      ['user_changed', () => admin.put(path, { username: 'audited', role: 'member' })],
      ['password_changed', () => admin.put(path, { username: 'audited', password: PASSWORD })],
      ['user_disabled', () => admin.put(path, { username: 'audited', disabled: true, password: PASSWORD })],
      ['user_deleted', () => admin.delete(path)],
    ];
    for (const [event, change] of changes) {
      const lines = await told(change);
      expect(lines).toMatchObject([{ event, subject: id, request_id: expect.any(String) as string }]);
      expect(lines[0]?.actor).toBe(
        event === 'password_changed' && lines[0]?.changed === undefined ? `basic:${id}` : actor,
      );
    }
  });

  it('has one line for each key and webhook that ends with its user, its key or its client', async () => {
    const { admin } = running;
    const id = await running.addUser({ username: 'maker', role: 'admin' });
    const made = async (maker: typeof admin, path: string, body: object): Promise<{ id: string; key: string }> => {
      const answer = await maker.post(path, body);
      expect([answer.status, answer.text]).toEqual([201, answer.text]);
      return answer.json() as { id: string; key: string };
    };
    const hook = { url: 'https://127.0.0.1:9/', events: ['item.created'] };
    const forKey = { name: 'Key', scopes: ['items:read', 'webhooks:manage'] };
    const maker = running.basic('maker');
    const [key, other] = [await made(maker, '/api-keys', forKey), await made(maker, '/api-keys', forKey)];
    const ofUser = await made(maker, '/webhooks', hook);
    const withKey = (secret: string): HttpClient =>
      new HttpClient({ baseUrl: running.baseUrl, headers: [['X-API-Key', secret]] });
    const [ofKey, ofOther] = [
      await made(withKey(key.key), '/webhooks', hook),
      await made(withKey(other.key), '/webhooks', hook),
    ];
    const actor = expect.any(String) as string;
    expect(await told(() => admin.delete(`/api-keys/${other.id}`))).toMatchObject([
      { event: 'key_revoked', subject: other.id, actor },
      { event: 'webhook_deleted', subject: ofOther.id, actor, because: { key: other.id } },
    ]);
    const refusedAt = running.lines.length;
    expect((await admin.delete(`/users/${id}`)).text).toContain('last_admin');
    expect(running.lines.slice(refusedAt).filter((line) => line.includes('"audit"'))).toEqual([]);
    await running.addUser({ username: 'successor', role: 'admin' });
    const lines = await told(() => admin.delete(`/users/${id}`));
    expect(lines[0]).toMatchObject({ event: 'user_deleted', subject: id });
    const ended = new Map(lines.slice(1).map((line) => [line.subject, line]));
    expect(lines).toHaveLength(4);
    for (const [event, subject] of [
      ['key_revoked', key.id],
      ['webhook_deleted', ofUser.id],
      ['webhook_deleted', ofKey.id],
    ] as const) {
      expect(ended.get(subject)).toMatchObject({ event, actor, because: { user: id }, request_id: actor });
    }
  });

  it.each([
    [
      '/api-keys',
      { name: 'Key', scopes: ['items:read'] },
      ['key_created', 'key_replaced', 'key_rotated', 'key_revoked'],
    ],
    [
      '/clients',
      { name: 'Client', grant_types: ['client_credentials'], redirect_uris: [], scopes: ['items:read'] },
      ['client_created', 'client_changed', 'client_rotated', 'client_deleted'],
    ],
    [
      '/webhooks',
      { url: 'https://127.0.0.1:9/', events: ['item.created'] },
      ['webhook_created', 'webhook_replaced', 'webhook_rotated', 'webhook_deleted'],
    ],
  ])('has one line for each change of a member of %s', async (path, body, [created, replaced, rotated, deleted]) => {
    const { admin } = running;
    let id = '';
    const made = await told(async () => {
      const answer = await admin.post(path, body);
      ({ id } = answer.json() as { id: string });
      return answer;
    });
    const actor = expect.any(String) as string;
    expect(made).toMatchObject([{ event: created, subject: id, actor }]);
    const changes = [
      [replaced, () => admin.put(`${path}/${id}`, body)],
      [rotated, () => admin.post(`${path}/${id}/rotations`, {})],
      [deleted, () => admin.delete(`${path}/${id}`)],
    ] as const;
    for (const [event, change] of changes) expect(await told(change)).toMatchObject([{ event, subject: id, actor }]);
  });
});
