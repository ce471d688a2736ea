import type { Account } from '../../accounts/account.js';
import type { Accounts } from '../../accounts/accounts.js';
import { BasicAuthenticator } from './basic-authenticator.js';

const SOURCE = { address: '192.0.2.1', requestId: 'test' };

describe('The cache of verified credentials', () => {
  let account: Account | undefined;
  let verifications: number;
  let basic: BasicAuthenticator;

  beforeEach(() => {
    account = {
      id: '0190f3a5-7bbb-7ccc-8ddd-0123456789ab',
      username: 'ada',
      name: null,
      email: null,
      role: 'viewer',
      disabled: false,
      scopes: new Set(['items:read']),
      credentialsVersion: 1,
    };
    verifications = 0;
    basic = new BasicAuthenticator({
      find: () => Promise.resolve(account),
      authenticate: (_username: string, password: string) => {
        verifications++;
        return Promise.resolve(password === 'right' && account?.disabled === false ? account : undefined);
      },
    } as unknown as Accounts);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  });
  afterEach(() => jest.useRealTimers());

  const login = (password = 'right', username = 'ada') => basic.authenticate(username, password, SOURCE);

  it('verifies a password once in 5 minutes', async () => {
    for (let n = 0; n < 3; n++) expect(await login()).toMatchObject({ kind: 'basic', isAdmin: false });
    expect(verifications).toBe(1);
    jest.advanceTimersByTime(5 * 60 * 1000);
    await login();
    expect(verifications).toBe(2);
  });

  it('shares one verification among those who bring the same credential at once', async () => {
    const principals = await Promise.all(Array.from({ length: 20 }, () => login()));
    expect(principals.every((principal) => principal !== null)).toBe(true);
    expect(verifications).toBe(1);
  });

  it('never remembers a failure', async () => {
    for (let n = 0; n < 3; n++) expect(await login('wrong')).toBeNull();
    expect(verifications).toBe(3);
  });

  it.each<[string, Partial<Account>]>([
    ['the password changed', { credentialsVersion: 2 }],
    ['the user is disabled', { disabled: true }],
    ['the username is another one', { username: 'eve' }],
  ])('forgets a credential as soon as %s', async (_why, change) => {
    await login();
    account = { ...account!, ...change };
    await login();
    expect(verifications).toBe(2);
  });

  it('gives what the user may do now, not what he could when the password was verified', async () => {
    expect(await login()).toMatchObject({ isAdmin: false });
    account = { ...account!, role: 'admin', scopes: new Set(['items:write']) };
    expect(await login()).toMatchObject({ isAdmin: true, scopes: new Set(['items:write']) });
    expect(verifications).toBe(1);
  });
});
