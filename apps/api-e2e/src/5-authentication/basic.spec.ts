import type { Header } from '@items/testing';

import { admin, anonymous } from '../harness/clients.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { basic, createUser, withBasic } from '../harness/users.js';

describe('§5 Basic', () => {
  it.each([
    'twelve chars',
    'with:colons:in:it',
    ' begins and ends with a space ',
    'ünïcödé – 密码 – 🔑 works',
    'x'.repeat(256),
    'trailing colon:::::::',
  ])('the password %j works on every protected route', async (password) => {
    const { username, id } = await createUser({ password, role: 'member' });
    const client = withBasic(username, password);
    expectStatus(await client.get('/items'), 200);
    expectStatus(await client.post('/items', { name: 'By Basic' }), 201);
    expect((await client.get('/users/me')).json()).toMatchObject({ id, username });
    errorOf(await withBasic(username, `${password}x`).get('/items'), 401);
  });

  it('the scheme is case-insensitive', async () => {
    const { username } = await createUser();
    const [, value] = basic(username);
    for (const scheme of ['basic', 'BASIC', 'bAsIc']) {
      expectStatus(await anonymous.get('/items', ['Authorization', value.replace('Basic', scheme)]), 200);
    }
  });

  it('a password is compared after Unicode normalisation', async () => {
    const { username } = await createUser({ password: 'ångström ångström' });
    expectStatus(await withBasic(username, 'ångström ångström'.normalize('NFD')).get('/items'), 200);
  });

  const malformed: readonly [title: string, value: string][] = [
    ['nothing', 'Basic'],
    ['no colon', `Basic ${Buffer.from('nobody').toString('base64')}`],
    ['no base64', 'Basic !!!!'],
    ['plain text', 'Basic ada:secret'],
    ['two parts', 'Basic YTpi YTpi'],
    ['bytes that are no UTF-8', `Basic ${Buffer.from([0x61, 0x3a, 0xff, 0xfe]).toString('base64')}`],
    ['NUL', `Basic ${Buffer.from('a\0:b\0').toString('base64')}`],
    ['an empty username', `Basic ${Buffer.from(':password').toString('base64')}`],
    ['nothing but a colon', `Basic ${Buffer.from(':').toString('base64')}`],
  ];

  it.each(malformed)('a malformed credential is 401 with challenges: %s', async (_title, value) => {
    const header: Header = ['Authorization', value];
    const answer = await anonymous.get('/items', header);
    errorOf(answer, 401);
    expect(answer.all('www-authenticate').join()).toContain('Basic realm="items", charset="UTF-8"');
  });

  it('the response is the same for an unknown user, a wrong password and a disabled user', async () => {
    const [known, disabled] = [await createUser(), await createUser({ disabled: true })];
    const answers = [
      await withBasic('nobody.at.all').get('/items'),
      await withBasic(known.username, 'wrong password').get('/items'),
      await withBasic(disabled.username).get('/items'),
    ];
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
  });

  it('disabling or demoting a user, or changing the password, takes effect immediately', async () => {
    const user = await createUser({ role: 'member' });
    const client = withBasic(user.username);
    expectStatus(await client.post('/items', { name: 'Still a member' }), 201);
    await admin.put(`/users/${user.id}`, { username: user.username, role: 'viewer' });
    errorOf(await client.post('/items', { name: 'No more' }), 403);
    expectStatus(await client.get('/items'), 200);
    await admin.put(`/users/${user.id}`, { username: user.username, disabled: true });
    errorOf(await client.get('/items'), 401);
    await admin.put(`/users/${user.id}`, { username: user.username, disabled: false });
    expectStatus(await client.get('/items'), 200);
    await admin.put(`/users/${user.id}`, { username: user.username, password: 'quite another one' });
    errorOf(await client.get('/items'), 401);
  });
});
