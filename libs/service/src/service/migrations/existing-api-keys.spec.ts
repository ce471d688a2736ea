import type { ApiKey, CreatedApiKey } from '@items/dtos/contract';
import { migratePostgres, postgresSource } from '../../data/postgres/postgres-source.js';
import { migrateSqlite, sqliteWriter } from '../../data/sqlite/sqlite-source.js';
import type { HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../testing/fixture-database.testing.js';
import { startService, type ServiceUnderTest } from '../testing/start-fixture.testing.js';
import { schema } from '../testing/fixture.testing.js';
import { OwnApiKeys1763000000006 } from './1763000000006-own-api-keys.js';

describeOnBothDatabases('API keys that were there before they had owners', (under) => {
  const keys: Record<string, CreatedApiKey> = {};
  let before: readonly ApiKey[];
  let running: ServiceUnderTest;

  beforeAll(async () => {
    running = await startService(under.config);
    await makeKeys();
    before = await listed();
    await running.service.app.close();
    await backAndForward();
    running = await startService(under.config);
  });
  afterAll(() => running.service.app.close());

  const using = ({ key }: CreatedApiKey): HttpClient => running.admin.having({ headers: [['X-API-Key', key]] });
  const status = async (name: string): Promise<number> => (await using(keys[name]!).get('/items')).status;
  const listed = async (): Promise<ApiKey[]> =>
    ((await running.admin.get('/api-keys')).json() as { api_keys: ApiKey[] }).api_keys;

  async function makeKeys(): Promise<void> {
    const make = async (client: HttpClient, target: string, body: object): Promise<CreatedApiKey> => {
      const answer = await client.post(target, body);
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.json() as CreatedApiKey;
    };
    const body = { name: 'x', scopes: ['items:read'] };
    const { admin } = running;
    keys['plain'] = await make(admin, '/api-keys', body);
    keys['former'] = await make(admin, '/api-keys', body);
    keys['rotated'] = await make(admin, `/api-keys/${keys['former'].id}/rotations`, {});
    keys['for a page'] = await make(admin, '/api-keys', { ...body, allowed_origins: ['https://shop.example'] });
    await running.addUser({ username: 'mary', role: 'member' });
    keys['of mary'] = await make(running.basic('mary'), '/api-keys', body);
    expect(await status('plain')).toBe(200);
  }

  /** Reverts to the version without owners of keys, then migrates like a start of the service. */
  async function backAndForward(): Promise<void> {
    const { config } = under;
    const isPostgres = config.dialect === 'postgres';
    const source = await (isPostgres ? postgresSource(config.url, schema) : sqliteWriter(config.file, schema));
    const at = schema.migrations.indexOf(OwnApiKeys1763000000006);
    for (let left = schema.migrations.length; left > at; left--)
      await source.undoLastMigration({ transaction: 'each' });
    await (isPostgres ? migratePostgres(config.url, schema) : migrateSqlite(source));
    await source.destroy();
  }

  it('work on, also one in its grace', async () => {
    expect([await status('plain'), await status('former'), await status('rotated')]).toEqual([200, 200, 200]);
  });

  it('belong to no user, and show their secrets as before', async () => {
    const after = new Map((await listed()).map((key) => [key.id, key]));
    for (const name of ['plain', 'rotated']) {
      const key = before.find(({ id }) => id === keys[name]?.id)!;
      const { secrets, user_id: owner } = after.get(key.id)!;
      expect([owner, secrets.map((secret) => ({ ...secret, last_used_at: null }))]).toEqual([null, key.secrets]);
    }
    const { secrets } = after.get(keys['plain']?.id ?? '')!;
    expect(secrets[0]?.last_used_at).not.toBeNull();
  });

  it('that would have lost their owner or their origins on the way back are worth nothing', async () => {
    expect([await status('of mary'), await status('for a page')]).toEqual([401, 401]);
  });

  it('are counted, rotated and deleted like any other', async () => {
    expect((await running.admin.get('/api-keys')).json()).toMatchObject({ total: 4 });
    const { id } = keys['rotated']!;
    expect((await running.admin.post(`/api-keys/${id}/rotations`, {})).status).toBe(201);
    expect([await status('former'), await status('rotated')]).toEqual([401, 200]);
    expect((await running.admin.delete(`/api-keys/${id}`)).status).toBe(204);
    expect(await status('rotated')).toBe(401);
    expect((await running.admin.get('/api-keys')).json()).toMatchObject({ total: 3 });
    const mary = await running.admin.post('/users', {
      username: 'mary2',
      password: 'correct horse battery',
      role: 'member',
    });
    expect(mary.status).toBe(201);
    expect((await running.basic('mary2').get('/api-keys')).json()).toMatchObject({ total: 0, api_keys: [] });
  });
});
