import type { CreatedSession, User } from '@items/dtos/contract';
import { HttpClient, withMovableClock } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { loadConfig } from '../../runtime/config/load-config.js';
import { PASSWORD, startService, type ServiceUnderTest } from '../../service/testing/start-fixture.testing.js';
import { createAdministrator, resetPassword } from './administrators.js';

describeOnBothDatabases('npm run admin', (under) => {
  let running: ServiceUnderTest;
  const audited: unknown[] = [];

  beforeAll(async () => {
    running = await startService(under.config);
  });
  afterAll(() => running.service.app.close());

  const context = { events: loadConfig({}).events, audit: (...line: unknown[]) => void audited.push(line) };
  const command = {
    create: (username: string, password: string) => createAdministrator(context, under.database, username, password),
    resetPassword: (username: string, password: string) => resetPassword(context, under.database, username, password),
  };

  it('create makes an administrator who can log in', async () => {
    expect(await command.create('root.user', PASSWORD)).toBe('The administrator "root.user" has been created.');
    const me = await running.basic('root.user').get('/users/me');
    expect(me.json()).toMatchObject({ username: 'root.user', role: 'admin', disabled: false });
    expect((await running.admin.get('/users?role=admin')).json()).toMatchObject({ total: 1 });
    expect(audited).toEqual([['user_created', (me.json() as User).id, { role: 'admin' }]]);
  });

  it('reset-password gives a user another password', async () => {
    const id = await running.addUser({ username: 'forgetful' });
    await command.resetPassword('forgetful', 'a new password');
    expect(audited.at(-1)).toEqual(['password_changed', id]);
    expect((await running.basic('forgetful', 'a new password').get('/users/me')).status).toBe(200);
    expect((await running.basic('forgetful').get('/users/me')).status).toBe(401);
  });

  it('reset-password ends earlier logins: their refresh tokens give no token, not even an invalid one', async () => {
    await running.addUser({ username: 'robbed' });
    const logIn = (password: string) =>
      new HttpClient({ baseUrl: running.baseUrl }).post('/sessions', { username: 'robbed', password });
    const refresh = async ({ refresh_token: token }: CreatedSession): Promise<[status: number, body: object]> => {
      const form = { grant_type: 'refresh_token', refresh_token: token, client_id: 'first-party' };
      const body = new URLSearchParams(form);
      const answer = await fetch(`${running.baseUrl}/oauth/token`, { method: 'POST', body });
      return [answer.status, (await answer.json()) as object];
    };
    const before = (await logIn(PASSWORD)).json() as CreatedSession;
    await command.resetPassword('robbed', 'a new password');
    await withMovableClock(async (pass) => {
      pass(5000);
      const [status, body] = await refresh(before);
      expect([status, Object.keys(body).sort()]).toEqual([400, ['error', 'error_description']]);
      expect(body).toMatchObject({ error: 'invalid_grant' });
      const after = (await logIn('a new password')).json() as CreatedSession;
      expect((await refresh(after))[0]).toBe(200);
    });
  });

  it.each([
    [() => command.create('root.user', PASSWORD), 'There is a user "root.user" already; see reset-password.'],
    [() => command.create('Root', PASSWORD), '"username" must hold only a-z, 0-9, ".", "_" and "-".'],
    [() => command.create('rooter', 'short'), '"password" must be at least 12 characters long.'],
    [() => command.resetPassword('unknown', PASSWORD), 'There is no user "unknown".'],
  ])('an impossible command is refused with a sentence', async (work, sentence) => {
    await expect(work()).rejects.toThrow(sentence);
  });
});
