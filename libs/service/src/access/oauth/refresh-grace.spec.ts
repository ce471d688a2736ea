import { hashSecret } from '../credentials/secrets/secret.js';
import type { CreatedSession } from '@items/dtos/contract';
import { HttpClient, withMovableClock } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import type { Tokens } from './testing/code-flow.testing.js';
import { formOf, startOauth, type OauthUnderTest } from './testing/oauth.testing.js';

type Pair = Pick<Tokens, 'access_token' | 'refresh_token'>;

describeOnBothDatabases('A refresh token that is used again (§5.4)', (under) => {
  let here: OauthUnderTest;
  let there: OauthUnderTest;

  beforeAll(async () => {
    here = await startOauth(under.config);
    there = await startOauth(under.config);
    await here.addUser({ username: 'mary', role: 'member' });
  });
  afterAll(() => Promise.all([here.close(), there.close()]));

  const logIn = async (): Promise<CreatedSession> => {
    const answer = await new HttpClient(here).post('/sessions', { username: 'mary', password: here.password });
    return answer.json() as CreatedSession;
  };
  const send = (token: string, service = here): Promise<Response> =>
    formOf(service.baseUrl, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: 'first-party',
    });
  const refreshed = async (token: string, service = here): Promise<Pair> => {
    const answer = await send(token, service);
    expect(answer.status).toBe(200);
    return (await answer.json()) as Pair;
  };
  const status = async ({ access_token: token }: Pair, service = here): Promise<number> =>
    (await service.bearer(token).get('/items')).status;
  const expectEnded = async (...pairs: readonly Pair[]): Promise<void> => {
    for (const pair of pairs) {
      expect(await status(pair)).toBe(401);
      expect((await send(pair.refresh_token)).status).toBe(400);
    }
  };
  /** Creates a session and refreshes twice with the same token. Returns the session and both pairs. */
  const repeat = async (service = here): Promise<[CreatedSession, Pair, Pair]> => {
    const session = await logIn();
    const lost = await refreshed(session.refresh_token);
    return [session, lost, await refreshed(session.refresh_token, service)];
  };

  it('within 10 s gets a new pair, on each instance, because the first response may be lost', async () => {
    await withMovableClock(async (pass) => {
      const [session, , second] = await repeat(there);
      pass(10_000);
      const third = await refreshed(session.refresh_token);
      expect(new Set([second.refresh_token, third.refresh_token]).size).toBe(2);
      expect(await status(third)).toBe(200);
      expect(await status(third, there)).toBe(200);
      const next = await refreshed(third.refresh_token);
      expect(await status(next)).toBe(200);
      expect(await status(session)).toBe(200);
    });
  });

  it('later than 10 s after its first use revokes the family, even if it was repeated before', async () => {
    await withMovableClock(async (pass) => {
      const [session, , last] = await repeat();
      pass(10_001);
      expect((await send(session.refresh_token)).status).toBe(400);
      await expectEnded(session, last);
    });
  });

  it('after the use of an access token of its pair revokes the family', async () => {
    const session = await logIn();
    const pair = await refreshed(session.refresh_token);
    expect(await status(pair)).toBe(200);
    expect((await send(session.refresh_token)).status).toBe(400);
    await expectEnded(session, pair);
  });

  it('after such a use at another instance revokes the family when that instance has stored it', async () => {
    const session = await logIn();
    const pair = await refreshed(session.refresh_token);
    expect(await status(pair, there)).toBe(200);
    await there.noteUses();
    expect((await send(session.refresh_token)).status).toBe(400);
    await expectEnded(session, pair);
  });

  it('after the use of the refresh token of its pair revokes the family', async () => {
    const session = await logIn();
    const pair = await refreshed(session.refresh_token);
    const next = await refreshed(pair.refresh_token);
    expect((await send(session.refresh_token)).status).toBe(400);
    await expectEnded(session, pair, next);
  });

  it('invalidates the previous pair: using its refresh token revokes the family', async () => {
    const [session, lost, last] = await repeat();
    expect((await send(lost.refresh_token)).status).toBe(400);
    await expectEnded(session, lost, last);
  });

  it('invalidates the previous pair: using its access token revokes the family, and is logged', async () => {
    const [session, lost, last] = await repeat();
    const reused = (): number => here.lines.filter((line) => line.includes('"reuse_detected"')).length;
    const before = reused();
    expect(await status(lost)).toBe(401);
    expect(reused()).toBe(before + 1);
    await expectEnded(session, last);
  });

  it('a void access token revokes its family at /oauth/revoke, too', async () => {
    const [session, lost, last] = await repeat();
    const form = { token: lost.access_token, client_id: 'first-party' };
    expect((await formOf(here.baseUrl, '/oauth/revoke', form)).status).toBe(200);
    await expectEnded(session, last);
  });

  const liveRefreshTokens = (session: CreatedSession): Promise<{ hash: string }[]> =>
    under.database.query<{ hash: string }>(
      "SELECT hash FROM oauth_artifacts WHERE authorization_id = $1 AND model = 'RefreshToken' AND consumed_at IS NULL",
      [session.id],
    );
  const sixteen = async (token: string): Promise<Response[]> =>
    Promise.all(Array.from({ length: 16 }, (_, n) => send(token, n % 2 === 0 ? here : there)));

  it('16 concurrent refreshes over two instances leave only the last pair valid', async () => {
    const session = await logIn();
    const answers = await sixteen(session.refresh_token);
    expect(answers.map((answer) => answer.status)).toEqual(Array<number>(16).fill(200));
    const pairs = (await Promise.all(answers.map((answer) => answer.json()))) as Pair[];
    const live = await liveRefreshTokens(session);
    expect(live).toHaveLength(1);
    const isLive = ({ refresh_token: token }: Pair): boolean => hashSecret(token) === live[0]?.hash;
    const last = pairs.filter(isLive);
    expect(last).toHaveLength(1);
    for (const pair of last) {
      expect(await status(pair)).toBe(200);
      expect(await status(pair, there)).toBe(200);
    }
    for (const other of pairs.filter((pair) => !isLive(pair)).slice(0, 1)) expect(await status(other)).toBe(401);
    await expectEnded(...pairs);
  });

  it('none of 16 concurrent refreshes with a void token, or one used more than 10 s ago, succeeds', async () => {
    await withMovableClock(async (pass) => {
      const [, lost] = await repeat();
      const session = await logIn();
      await refreshed(session.refresh_token);
      pass(10_001);
      for (const token of [lost.refresh_token, session.refresh_token]) {
        expect((await sixteen(token)).map((answer) => answer.status)).toEqual(Array<number>(16).fill(400));
      }
    });
  });

  it('never leaves two valid refresh tokens during concurrent uses of the pair', async () => {
    for (let round = 0; round < 5; round += 1) {
      const session = await logIn();
      const pair = await refreshed(session.refresh_token);
      const tokens = [pair.refresh_token, session.refresh_token, session.refresh_token, pair.refresh_token];
      await Promise.all(tokens.map((token, n) => send(token, n % 2 === 0 ? here : there)));
      expect((await liveRefreshTokens(session)).length).toBeLessThanOrEqual(1);
    }
  });
});
