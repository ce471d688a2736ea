import type { CreatedSession, Session } from '@items/dtos/contract';
import { type Answer, HttpClient, withMovableClock } from '@items/testing';

import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { formOf, startOauth, type OauthUnderTest, type SessionTimes } from '../../oauth/testing/oauth.testing.js';

const DAY_MS = 86_400_000;
const KEY = { name: 'x', scopes: ['items:read'] };
/** Number of concurrent logins; most of their cost is hashing. */
const LOGINS = 24;

function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, text } of answers) {
    const name = status < 300 ? String(status) : `${String(status)} ${(JSON.parse(text) as { code: string }).code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describeOnBothDatabases('§8 Limits of a user, over two instances', (under) => {
  let here: OauthUnderTest;
  let there: OauthUnderTest;
  let users = 0;

  beforeAll(async () => {
    here = await startOauth(under.config);
    there = await startOauth(under.config);
  });
  afterAll(() => Promise.all([here.close(), there.close()]));

  const newUser = async (): Promise<{ username: string; id: string }> => {
    const username = `user-${String((users += 1))}`;
    return { username, id: await here.addUser({ username, role: 'member' }) };
  };
  const racers = (times: number, ask: (at: OauthUnderTest) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: times }, (_, index) => ask(index % 2 === 0 ? here : there)));

  describe('100 live API keys', () => {
    it('are the maximum, also under concurrent creations: 409 too_many_api_keys', async () => {
      const { username } = await newUser();
      const make = (at: OauthUnderTest): Promise<Answer> => at.basic(username).post('/api-keys', KEY);
      for (let n = 0; n < 95; n++) expect((await make(here)).status).toBe(201);
      expect(tally(await racers(64, make))).toEqual({ '201': 5, '409 too_many_api_keys': 59 });
      const owner = here.basic(username);
      const list = (await owner.get('/api-keys?per_page=100')).json() as { total: number; api_keys: { id: string }[] };
      expect([list.total, list.api_keys.length]).toEqual([100, 100]);
      await owner.delete(`/api-keys/${list.api_keys[0]?.id ?? ''}`);
      expect(tally(await racers(4, make))).toEqual({ '201': 1, '409 too_many_api_keys': 3 });
      // The limit does not affect other users.
      expect((await here.basic((await newUser()).username).post('/api-keys', KEY)).status).toBe(201);
    });

    it('do not include an expired key, which PUT cannot revive as the 101st', async () => {
      const { username, id } = await newUser();
      const owner = here.basic(username);
      const expired = await here.addKey(id, Date.now() - 1000);
      for (let n = 0; n < 100; n++) expect((await owner.post('/api-keys', KEY)).status).toBe(201);
      const refused = { '409 too_many_api_keys': 1 };
      expect(tally([await owner.post('/api-keys', KEY)])).toEqual(refused);
      const revived = { name: 'x', expires_at: null };
      expect(tally([await owner.put(`/api-keys/${expired}`, revived)])).toEqual(refused);
      expect((await owner.put(`/api-keys/${expired}`, { name: 'renamed' })).status).toBe(200);
      const list = (await owner.get('/api-keys?limit=1&sort=-created_at')).json() as { api_keys: { id: string }[] };
      const live = list.api_keys[0]?.id ?? '';
      expect((await owner.put(`/api-keys/${live}`, revived)).status).toBe(200);
      await owner.delete(`/api-keys/${live}`);
      expect((await owner.put(`/api-keys/${expired}`, revived)).status).toBe(200);
      expect(tally([await owner.post('/api-keys', KEY)])).toEqual(refused);
    });

    it('are no limit for the operator, who is not a user', async () => {
      for (let n = 0; n < 101; n++) expect((await here.admin.post('/api-keys', KEY)).status).toBe(201);
    });
  });

  describe('100 sessions', () => {
    const logIn = async (username: string, at = here): Promise<CreatedSession> => {
      const answer = await new HttpClient(at).post('/sessions', { username, password: at.password });
      expect(answer.status).toBe(201);
      return answer.json() as CreatedSession;
    };
    const sessionsOf = async (username: string): Promise<Session[]> => {
      const list = (await here.basic(username).get('/sessions?per_page=100')).json() as { total: number };
      expect(list.total).toBe((list as unknown as { sessions: Session[] }).sessions.length);
      return (list as unknown as { sessions: Session[] }).sessions;
    };
    /** Inserts sessions from yesterday, without tokens. */
    const addSessions = async (userId: string, times: number, other: Partial<SessionTimes> = {}): Promise<string[]> => {
      const ids: string[] = [];
      for (let n = 0; n < times; n++) {
        const times = { created_at: Date.now() - DAY_MS + n, expires_at: Date.now() + DAY_MS, ...other };
        ids.push(await here.addSession(userId, times));
      }
      return ids;
    };

    it('are the maximum: a login ends the least recently used one, with its tokens', async () => {
      const { username, id } = await newUser();
      const [oldest, second] = [await logIn(username), await logIn(username)];
      const use = async (at: OauthUnderTest, { access_token: token }: CreatedSession): Promise<void> => {
        expect((await at.bearer(token).get('/items')).status).toBe(200);
        await at.noteUses();
      };
      await use(there, second);
      await addSessions(id, 98, { last_used_at: Date.now() });
      await use(here, oldest);
      expect(await sessionsOf(username)).toHaveLength(100);
      await logIn(username, there);
      const left = (await sessionsOf(username)).map(({ id }) => id);
      expect([left.length, left.includes(oldest.id), left.includes(second.id)]).toEqual([100, true, false]);
      await withMovableClock(async (pass) => {
        pass(5000);
        expect((await here.bearer(second.access_token).get('/items')).status).toBe(401);
        expect((await there.bearer(second.access_token).get('/items')).status).toBe(401);
        const refreshed = await formOf(there.baseUrl, '/oauth/token', {
          grant_type: 'refresh_token',
          refresh_token: second.refresh_token,
          client_id: 'first-party',
        });
        expect([refreshed.status, await refreshed.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
      });
      const told = (await there.admin.get(`/audit-events?object_id=${second.id}&type=session.deleted`)).json();
      expect(told).toMatchObject({ audit_events: [{ actor: { type: 'user', user_id: id } }] });
    });

    it('are the maximum: a login ends expired ones first', async () => {
      const { username, id } = await newUser();
      const live = await addSessions(id, 90);
      const expired = await addSessions(id, 10, { expires_at: Date.now() - 1000 });
      for (let n = 0; n < 10; n++) await logIn(username);
      const left = (await sessionsOf(username)).map((session) => session.id);
      expect(left).toHaveLength(100);
      expect(live.every((one) => left.includes(one))).toBe(true);
      expect(expired.some((one) => left.includes(one))).toBe(false);
      await logIn(username);
      expect((await sessionsOf(username)).map((session) => session.id)).not.toContain(live[0]);
    });

    it('are the maximum, also under concurrent logins', async () => {
      const { username, id } = await newUser();
      const idle = await addSessions(id, 100);
      const made = await racers(LOGINS, (at) =>
        new HttpClient(at).post('/sessions', { username, password: at.password }),
      );
      expect(tally(made)).toEqual({ '201': LOGINS });
      const left = (await sessionsOf(username)).map((session) => session.id);
      expect(left).toHaveLength(100);
      expect(made.every((answer) => left.includes((answer.json() as CreatedSession).id))).toBe(true);
      expect(left.filter((one) => idle.includes(one))).toEqual(expect.arrayContaining(idle.slice(LOGINS)));
    });

    it('each login ends some of the sessions of a user who has more from before the limit', async () => {
      const { username, id } = await newUser();
      await addSessions(id, 170);
      await logIn(username);
      await logIn(username);
      expect(await sessionsOf(username)).toHaveLength(100);
    });
  });
});
