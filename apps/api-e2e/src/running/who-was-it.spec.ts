import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { CreatedSession, Item, User } from '@items/dtos/contract';
import { HttpClient, startApp, type RunningApp } from '@items/testing';

import { linesOf } from '../harness/log-lines.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

const page = readFileSync(join(__dirname, '../../../../docs/who-was-it.md'), 'utf8');
const FLOODER = '192.0.2.66';
const WRONG_KEYS = 30;
const PASSWORD = 'correct horse battery';

/** Returns the commands in a section of the page. */
function commandsOf(heading: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, command = '']) => command);
}

describeStarted('docs/who-was-it.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'who-was-it-'));
  let app: RunningApp;
  let user: User;
  let item: Item;
  let session: CreatedSession;

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest(), env: { TRUST_PROXY: '127.0.0.1' } });
    const from = (address: string): HttpClient =>
      new HttpClient({ baseUrl: app.baseUrl, headers: [['X-Forwarded-For', address]] });
    const admin = from('192.0.2.1').withHeaders(['X-API-Key', app.adminKey]);
    user = (await admin.post('/users', { username: 'ann', role: 'member', password: PASSWORD })).json() as User;
    const login = await from('192.0.2.2').post('/sessions', { username: 'ann', password: PASSWORD });
    session = login.json() as CreatedSession;
    const ann = from('192.0.2.2').withHeaders(['Authorization', `Bearer ${session.access_token}`]);
    item = (await ann.post('/items', { name: 'Red mug', price: 8 })).json() as Item;
    await ann.put(`/items/${item.id}`, { name: 'Red mug', price: 9 });
    await admin.get(`/items/${item.id}`);
    await from('192.0.2.3').get('/items', ['X-API-Key', 'wrong']);
    for (let n = 0; n < WRONG_KEYS; n += 1) await from(FLOODER).get('/items', ['X-API-Key', `wrong-${String(n)}`]);
    // The log buffers lines for at most 200 ms.
    while (linesOf(app).filter(({ address }) => address === FLOODER).length < WRONG_KEYS)
      await new Promise((resolve) => setTimeout(resolve, 20));
    // Reverse the lines, because joined logs of several instances are not in order of time.
    writeFileSync(join(folder, 'items.log'), app.process.log().split('\n').reverse().join('\n'));
  });

  afterAll(async () => {
    await app.stop();
    rmSync(folder, { recursive: true });
  });

  /** Runs a command of the page. @returns the columns of each line of its output. */
  async function run(command: string | undefined): Promise<string[][]> {
    const env = {
      ...process.env,
      URL: app.baseUrl,
      ADMIN_API_KEY: app.adminKey,
      USER_ID: user.id,
      ID: item.id,
      DAY: new Date(Date.parse(item.created_at)).toISOString().slice(0, 10),
    };
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command ?? 'false'], {
      cwd: folder,
      env,
    });
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
  }

  it('finds the address of a flood', async () => {
    const [command] = commandsOf('Who floods?');
    const found = await run(command);
    expect(found.map((columns) => [...columns.slice(0, 3), columns[5]])).toEqual([
      [String(WRONG_KEYS), FLOODER, String(WRONG_KEYS), '/items'],
      ['1', '192.0.2.3', '1', '/items'],
    ]);
  });

  it('lists the actions of a user on a day, with the session and the resources', async () => {
    const [command, changes] = commandsOf('What did this user do?');
    expect((await run(command)).map(([, ...columns]) => columns)).toEqual([
      ['192.0.2.2', '', 'login_succeeded', '', session.id],
      ['192.0.2.2', 'first-party', 'POST /items', '201', ''],
      ['192.0.2.2', 'first-party', 'PUT /items/:id', '200', item.id],
    ]);
    expect((await run(changes)).map(([, type, id]) => [type, id])).toEqual(
      expect.arrayContaining([
        ['item.created', item.id],
        ['item.updated', item.id],
      ]),
    );
  });

  it('lists the changes of a resource and its readers', async () => {
    const [changes, requests] = commandsOf('What happened to this resource?');
    expect((await run(changes)).map((columns) => columns.filter((_, index) => ![0, 5].includes(index)))).toEqual([
      ['item.created', 'user', user.id, '192.0.2.2', ''],
      ['item.updated', 'user', user.id, '192.0.2.2', 'price'],
    ]);
    expect((await run(requests)).map(([, ...columns]) => columns.slice(0, 4))).toEqual([
      ['192.0.2.2', user.id, 'PUT /items/:id', '200'],
      ['192.0.2.1', 'admin', 'GET /items/:id', '200'],
    ]);
  });
});
