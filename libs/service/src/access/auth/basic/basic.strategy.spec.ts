import { withMovableClock } from '@items/testing';

import { type MaybePromise, thenMaybe } from '@items/conventions';
import type { Principal } from '../../principal/principal.js';
import type { FastifyRequest } from 'fastify';

import type { Account } from '../../accounts/account.js';
import type { Accounts } from '../../accounts/accounts.js';
import { BasicStrategy } from './basic.strategy.js';
import { TooManyFailuresError } from '../../errors/access-errors.js';

const LOCKED = new TooManyFailuresError({ requests: 10, seconds: 900 }, 900);
const SOURCE = { address: '192.0.2.1', requestId: 'test' };

function from(authorization?: string, { address, requestId } = SOURCE): Pick<FastifyRequest, 'headers' | 'ip' | 'id'> {
  return { headers: { ...(authorization !== undefined && { authorization }) }, ip: address, id: requestId };
}

function basicOf(text: string): string {
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

describe('The cache of verified credentials', () => {
  let account: Account | undefined;
  let verifications: number;
  let isLocked: boolean;
  let basic: BasicStrategy;

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
    isLocked = false;
    basic = new BasicStrategy({
      find: () => account,
      resetAfterCachedLogin: () => {
        if (isLocked) throw LOCKED;
      },
      authenticate: (_username: string, password: string) => {
        verifications++;
        return Promise.resolve(password === 'right' && account?.disabled === false ? account : undefined);
      },
    } as unknown as Accounts);
  });

  /** Tries the cache, then the strategy, as the access hook does. */
  const callerOf = (request: Parameters<BasicStrategy['validate']>[0]): MaybePromise<Principal | null> =>
    thenMaybe(basic.cached(request), (caller) => caller ?? basic.validate(request));

  const login = async (password = 'right', username = 'ada', source = SOURCE) =>
    callerOf(from(basicOf(`${username}:${password}`), source));

  it('verifies a password once in 5 minutes', async () => {
    await withMovableClock(async (pass) => {
      for (let n = 0; n < 3; n++) expect(await login()).toMatchObject({ kind: 'basic', isAdmin: false });
      pass(5 * 60 * 1000);
      await login();
      expect(verifications).toBe(1);
      pass(1);
      await login();
      expect(verifications).toBe(2);
    });
  });

  it('caches frequent users, and most others, after user 10 001', async () => {
    await login();
    for (let n = 0; n < 10_001; n += 1) {
      await login('right', 'ada', { ...SOURCE, address: `192.0.2.${String(n + 2)}` });
      if (n % 1000 === 0) await login();
    }
    const before = verifications;
    await login();
    await login('right', 'ada', { ...SOURCE, address: '192.0.2.5000' });
    expect(verifications).toBe(before);
  });

  it('recognizes a credential only from the address from which it was verified', async () => {
    await login();
    await login('right', 'ada', { ...SOURCE, address: '192.0.2.2' });
    expect(verifications).toBe(2);
  });

  it('refuses a verified credential after too many wrong ones', async () => {
    await login();
    isLocked = true;
    await expect(login()).rejects.toBe(LOCKED);
    expect(verifications).toBe(1);
  });

  it('shares one verification among concurrent requests with the same credential', async () => {
    const principals = await Promise.all(Array.from({ length: 20 }, () => login()));
    expect(principals.every((principal) => principal !== null)).toBe(true);
    expect(verifications).toBe(1);
  });

  it('never caches a failure', async () => {
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

  it('reads a credential of the form of RFC 7617, and refuses any other form', async () => {
    expect(await callerOf(from(basicOf('ada:right')))).toMatchObject({ kind: 'basic' });
    for (const other of [undefined, 'Basic', 'Basic ???', basicOf('ada')]) {
      expect(await callerOf(from(other))).toBeNull();
    }
    expect(verifications).toBe(1);
  });

  it('returns a cached principal synchronously', async () => {
    const known = (password = 'right', source = SOURCE) => callerOf(from(basicOf(`ada:${password}`), source));
    expect(known()).toBeInstanceOf(Promise);
    const principal = await login();
    expect(known()).toEqual(principal);
    expect(await known('right', { ...SOURCE, address: '192.0.2.2' })).toEqual(principal);
    expect(verifications).toBe(2);
    isLocked = true;
    expect(() => known()).toThrow(LOCKED);
    account = { ...account!, credentialsVersion: 2 };
    expect(known()).toBeInstanceOf(Promise);
  });

  it('returns the current permissions of the user, not those at the verification of the password', async () => {
    expect(await login()).toMatchObject({ isAdmin: false });
    account = { ...account!, role: 'admin', scopes: new Set(['items:write']) };
    expect(await login()).toMatchObject({ isAdmin: true, scopes: new Set(['items:write']) });
    expect(verifications).toBe(1);
  });
});
