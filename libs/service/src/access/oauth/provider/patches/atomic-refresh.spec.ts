import type { CreatedSession } from '@items/dtos/contract';
import { databaseUnavailable } from '../../../../data/database/database-unavailable.js';
import type { Transaction } from '../../../../for-store.js';
import { HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../../../../service/testing/fixture-database.testing.js';
import { startCodeFlow, type CodeFlow, type Tokens } from '../../testing/code-flow.testing.js';
import { formOf } from '../../testing/oauth.testing.js';

describeOnBothDatabases('A database that goes away while tokens are renewed (§5)', (under) => {
  let flow: CodeFlow;

  beforeAll(async () => {
    flow = await startCodeFlow(under.config);
  });
  afterAll(() => flow.oauth.close());
  afterEach(() => jest.restoreAllMocks());

  /** Fails after a number of statements that store an issued or used artifact. */
  function failAfter(statements: number): void {
    const { database } = flow.oauth;
    const transaction = database.transaction.bind(database);
    let left = statements;
    jest.spyOn(database, 'transaction').mockImplementation((work) =>
      transaction((tx) => {
        const query: Transaction['query'] = (sql, values) => {
          if (sql.includes('oauth_artifacts') && left-- === 0) throw databaseUnavailable(new Error('gone'));
          return tx.query(sql, values);
        };
        return work(Object.assign(Object.create(tx) as Transaction, { query }));
      }),
    );
  }

  const refresh = (token: string): Promise<Response> =>
    formOf(flow.oauth.baseUrl, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: 'first-party',
    });
  const issued = (): number => flow.oauth.lines.filter((line) => line.includes('"token_issued"')).length;

  it.each([0, 1, 2])('after %d statements, a session is intact, and the client can retry', async (n) => {
    const anonymous = new HttpClient({ baseUrl: flow.oauth.baseUrl });
    const login = await anonymous.post('/sessions', { username: 'mary', password: flow.oauth.password });
    const { refresh_token: token } = login.json() as CreatedSession;
    const before = issued();
    failAfter(n);
    const failed = await refresh(token);
    expect([failed.status, await failed.json()]).toEqual([
      503,
      { error: 'temporarily_unavailable', error_description: expect.any(String) },
    ]);
    expect(failed.headers.get('retry-after')).not.toBeNull();
    expect(issued()).toBe(before);
    jest.restoreAllMocks();
    const renewed = await refresh(token);
    expect(renewed.status).toBe(200);
    expect(issued()).toBe(before + 1);
    const { access_token: access } = (await renewed.json()) as Tokens;
    expect(await flow.statusWith(access)).toBe(200);
    expect((await refresh(token)).status).toBe(400);
    expect(await flow.statusWith(access)).toBe(401);
  });

  it.each([0, 1, 2])('after %d statements, a code is intact', async (n) => {
    const code = await flow.newCode();
    failAfter(n);
    expect((await flow.exchange(code)).status).toBe(503);
    jest.restoreAllMocks();
    expect((await flow.exchange(code)).status).toBe(200);
  });
});
