import { Browser } from '@items/testing';
import type { Transaction } from '../../../for-store.js';
import { v7 as uuidv7 } from 'uuid';

import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { OneGrantAClient1763000000042 } from '../../../service/migrations/1763000000042-one-grant-a-client.js';
import { schema } from '../../../service/testing/fixture.testing.js';
import { startCodeFlow, type CodeFlow } from '../testing/code-flow.testing.js';

describeOnBothDatabases('One approval for each user and client', (under) => {
  let flow: CodeFlow;

  beforeAll(async () => {
    flow = await startCodeFlow(under.config);
  });
  afterAll(() => flow.oauth.close());

  const grants = async (username: string): Promise<{ total: number; grants: { id: string; scopes: string[] }[] }> =>
    (await flow.oauth.basic(username).get('/users/me/grants?page=1')).json() as never;

  it('is made by any number of consents at once', async () => {
    const pages = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const browser = new Browser(flow.oauth.baseUrl);
        return { browser, page: await flow.logIn(browser) };
      }),
    );
    const answers = await Promise.all(pages.map(({ browser, page }) => browser.submit(page, { decision: 'allow' })));
    expect(answers.map(({ left }) => left?.searchParams.has('code'))).toEqual(Array(6).fill(true));
    const listed = await grants('mary');
    expect([listed.total, listed.grants.length]).toEqual([1, 1]);
  });

  it('is what two that were stored before become, with the scopes of both', async () => {
    expect(schema.migrations).toContain(OneGrantAClient1763000000042);
    const { database } = flow.oauth;
    const [first] = (await grants('mary')).grants;
    const [row] = await database.query<Record<string, string | number>>('SELECT * FROM grants');
    const dataSource = { options: { type: database.dialect === 'postgres' ? 'postgres' : 'sqlite' } };
    const runner = (tx: Transaction) => ({ dataSource, query: (sql: string) => tx.query(sql) }) as never;
    const migration = new OneGrantAClient1763000000042();
    const second = uuidv7();
    const columns = Object.keys(row ?? {});
    const values: Record<string, string | number> = {
      ...row,
      id: second,
      scopes: '["clients:manage"]',
      created_at: Number(row?.['created_at']) + 1,
    };
    await database.transaction(async (tx) => {
      await migration.down(runner(tx));
      await tx.query(
        `INSERT INTO grants (${columns.join(', ')}) VALUES (${columns.map((_, at) => `$${String(at + 1)}`).join(', ')})`,
        columns.map((column) => values[column] ?? null),
      );
      await tx.query('UPDATE oauth_authorizations SET grant_id = $1', [second]);
      await tx.query("UPDATE collection_lanes SET n = n + 1 WHERE collection = 'grants' AND lane = 0");
      await tx.query(
        "UPDATE collection_counts SET n = n + 1 WHERE collection = 'grants' AND lane = (SELECT min(lane) FROM collection_counts WHERE collection = 'grants')",
      );
    });
    expect((await grants('mary')).total).toBe(2);
    await database.transaction((tx) => migration.up(runner(tx)));
    const listed = await grants('mary');
    expect([listed.total, listed.grants.length]).toEqual([1, 1]);
    expect(listed.grants[0]).toMatchObject({ id: first?.id, scopes: ['items:read', 'items:write', 'clients:manage'] });
    const left = await database.query<{ grant_id: string }>('SELECT DISTINCT grant_id FROM oauth_authorizations');
    expect(left).toEqual([{ grant_id: first?.id }]);
  });
});
