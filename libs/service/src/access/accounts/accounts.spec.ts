import { randomUUID } from 'node:crypto';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { SELECT_ACCOUNT, toAccount, type AccountRow } from './account.js';
import { startOauth, type OauthUnderTest } from '../oauth/testing/oauth.testing.js';
import { isSubject } from './identities.js';
import { lockUser } from './accounts.js';

const permissions = { scopesOfRole: () => new Set(['items:read'] as const) };

describe('The subject of an identity', () => {
  it.each([
    ['one character', 'a', true],
    ['255 characters outside the basic plane', '𝒳'.repeat(255), true],
    ['256 characters', 'a'.repeat(256), false],
    ['no character', '', false],
    ['NUL', 'a\0b', false],
    ['half of a surrogate pair', 'a\ud800', false],
    ['a number', 7, false],
  ])('%s is accepted: %3$s', (_title, subject, expected) => {
    expect(isSubject(subject)).toBe(expected);
  });
});

describeOnBothDatabases('An account', (under) => {
  let oauth: OauthUnderTest;
  beforeAll(async () => {
    oauth = await startOauth(under.config);
  });
  afterAll(() => oauth.close());

  const read = async (id: string): Promise<AccountRow | undefined> =>
    (await oauth.database.query<AccountRow>(`${SELECT_ACCOUNT} WHERE u.id = $1`, [id]))[0];

  it('has no hash after its password was removed, and keeps the version', async () => {
    const id = await oauth.addUser({ username: 'carol' });
    const before = await read(id);
    await oauth.database.transaction((tx) => tx.query("UPDATE user_passwords SET hash = '' WHERE user_id = $1", [id]));
    expect(await read(id)).toMatchObject({ hash: null, version: before?.version });
  });

  it('has the version of its password, and not its hash', async () => {
    const row = await read(await oauth.addUser({ username: 'ada', disabled: true }));
    expect(row?.hash).toMatch(/^\$?\w+/);
    const account = row && toAccount(row, permissions);
    expect(account).toMatchObject({
      disabled: true,
      scopes: new Set(['items:read']),
      credentialsVersion: row?.version,
    });
    expect(account).not.toHaveProperty('hash');
  });

  it('can be locked, if it exists', async () => {
    const { dialect } = oauth.database;
    const id = await oauth.addUser({ username: 'bob' });
    const locked = await oauth.database.transaction((tx) => lockUser(tx, dialect, id));
    const unknown = await oauth.database.transaction((tx) => lockUser(tx, dialect, randomUUID()));
    expect([locked, unknown]).toEqual([true, false]);
  });
});
