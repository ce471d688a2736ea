import type { CreatedSession } from '@items/dtos/contract';
import { HttpClient, withMovableClock } from '@items/testing';

import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { startOauth, type OauthUnderTest } from '../testing/oauth.testing.js';

describeOnBothDatabases('Two instances on one database', (under) => {
  let here: OauthUnderTest;
  let there: OauthUnderTest;

  beforeAll(async () => {
    here = await startOauth(under.config);
    there = await startOauth(under.config);
  });
  afterAll(() => Promise.all([here.close(), there.close()]));

  let users = 0;
  const logIn = async (): Promise<CreatedSession & { userId: string; username: string }> => {
    const username = `user-${String((users += 1))}`;
    const userId = await here.addUser({ username, role: 'member' });
    const answer = await new HttpClient(here).post('/sessions', { username, password: here.password });
    return { ...(answer.json() as CreatedSession), userId, username };
  };
  const status = async (service: OauthUnderTest, { access_token: token }: CreatedSession): Promise<number> =>
    (await service.bearer(token).get('/items')).status;
  it('take the tokens of each other, also for a refresh', async () => {
    const session = await logIn();
    expect(await status(there, session)).toBe(200);
    const form = { grant_type: 'refresh_token', refresh_token: session.refresh_token, client_id: 'first-party' };
    const answer = await fetch(`${there.baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    expect(answer.status).toBe(200);
    expect(await status(here, (await answer.json()) as CreatedSession)).toBe(200);
  });

  it.each<[string, (session: Awaited<ReturnType<typeof logIn>>) => Promise<unknown>]>([
    ['a session that is ended', (session) => here.bearer(session.access_token).delete(`/sessions/${session.id}`)],
    [
      'a user who is disabled',
      ({ userId, username }) => here.admin.put(`/users/${userId}`, { username, disabled: true }),
    ],
    ['a user who is deleted', ({ userId }) => here.admin.delete(`/users/${userId}`)],
    [
      'a password that is changed, also where no message ends the tokens',
      ({ userId }) =>
        under.database.transaction((tx) =>
          tx.query('UPDATE user_passwords SET version = version + 1 WHERE user_id = $1', [userId]),
        ),
    ],
  ])('a token that ends at one is refused everywhere within 5 s: %s', async (_what, end) => {
    await withMovableClock(async (pass) => {
      const session = await logIn();
      expect([await status(here, session), await status(there, session)]).toEqual([200, 200]);
      await end(session);
      pass(5000);
      expect([await status(here, session), await status(there, session)]).toEqual([401, 401]);
    });
  });

  it('sign cookies and tokens with the same keys', async () => {
    const keysOf = async ({ baseUrl }: OauthUnderTest): Promise<string> =>
      (await fetch(`${baseUrl}/oauth/jwks`)).text();
    expect(await keysOf(here)).toBe(await keysOf(there));
  });
});
