import { execFile } from 'node:child_process';
import { join } from 'node:path';

import {
  countingArgs,
  HttpClient,
  provideDatabase,
  startApp,
  type RunningApp,
  type TestDatabase,
} from '@items/testing';

import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';
import { withBasic } from '../harness/users.js';

const PROGRAM = join(__dirname, '../../../api/dist/admin.js');
const PASSWORD = 'correct horse battery';

describeStarted('Running: npm run admin makes administrators, and gives users other passwords', () => {
  let database: TestDatabase;
  let app: RunningApp;

  beforeAll(async () => {
    const name = databaseUnderTest();
    database = await provideDatabase(name);
    app = await startApp({ database: name, databaseUrl: database.url });
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  /** Returns the output of the command, and whether it succeeded. @param typed standard input. */
  function admin(args: readonly string[], typed = ''): Promise<{ ok: boolean; text: string }> {
    const env = { PATH: process.env['PATH'], NODE_PATH: process.env['NODE_PATH'], DATABASE_URL: database.url };
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [...countingArgs(), PROGRAM, ...args],
        { env },
        (error, stdout, stderr) => {
          resolve({ ok: error === null, text: stdout + stderr });
        },
      );
      // A command that refuses its arguments reads nothing.
      child.stdin?.on('error', () => undefined).end(typed);
    });
  }

  const login = (password: string): HttpClient =>
    withBasic('root.user', password, new HttpClient({ baseUrl: app.baseUrl }));

  it('the first line of standard input is the password', async () => {
    const made = await admin(['create', 'root.user'], `${PASSWORD}\n`);
    expect(made.ok).toBe(true);
    expect(made.text).toMatch(/^The administrator "root\.user" has been created\.$/m);
    const { users } = (await login(PASSWORD).get('/users')).json() as { users: { id: string }[] };
    const [, line = ''] = /^(\{"level".*)$/m.exec(made.text) ?? [];
    expect(JSON.parse(line)).toMatchObject({
      audit: true,
      event: 'user_created',
      actor: expect.stringMatching(/^operator:./) as string,
      subject: users[0]?.id,
      role: 'admin',
    });
  });

  it('--generate creates a password and shows it once', async () => {
    const { ok, text } = await admin(['reset-password', 'root.user', '--generate']);
    const [, password = ''] = /^Password \(shown only this once\): (\S{32})$/m.exec(text) ?? [];
    expect({ ok, length: password.length }).toEqual({ ok: true, length: 32 });
    expectStatus(await login(password).get('/users'), 200);
    expectStatus(await login(PASSWORD).get('/users'), 401);
    // Both commands are recorded, with the service as the author.
    const answer = await login(password).get('/audit-events');
    const { audit_events: records } = answer.json() as { audit_events: Record<string, unknown>[] };
    const actor = { type: 'system', user_id: null, credential_id: null, client_id: null };
    const system = { actor, address: null, request_id: null };
    expect(records).toMatchObject([
      { type: 'user.created', ...system, changed: [] },
      { type: 'user.password_changed', ...system, changed: ['password'] },
    ]);
  });

  it('an impossible command is refused with a sentence', async () => {
    const again = await admin(['create', 'root.user', '--generate']);
    expect(again).toEqual({ ok: false, text: 'There is a user "root.user" already; see reset-password.\n' });
    const unknown = await admin(['remove', 'root.user']);
    expect(unknown).toEqual({
      ok: false,
      text: 'There is no command "remove": "npm run admin -- help" lists the commands.\n',
    });
  });
});
