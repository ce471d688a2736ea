import { randomUUID } from 'node:crypto';

import { redisUnderTest } from '@items/testing';
import { RedisLink } from '@items/throttling';

import { failureKeysOf, LoginFailures } from './login-failures.js';

const url = process.env['REDIS_URL'] ?? redisUnderTest();
if (url === undefined) process.stderr.write('SKIPPED: failures in Redis, for there is no Redis: set REDIS_URL.\n');

const FAILURE = (): Promise<undefined> => Promise.resolve(undefined);
const SUCCESS = (): Promise<string> => Promise.resolve('in');

function failures(title: string, redisUrl: string | undefined): void {
  (title === 'in Redis' && redisUrl === undefined ? describe.skip : describe)(`Failed logins ${title}`, () => {
    const links: RedisLink[] = [];
    const instance = async (): Promise<LoginFailures> => {
      if (redisUrl === undefined) return new LoginFailures(null);
      const link = new RedisLink(redisUrl);
      links.push(link);
      await link.onModuleInit();
      return new LoginFailures(link);
    };
    afterEach(() => {
      for (const link of links.splice(0)) link.onApplicationShutdown();
    });
    const fail = async (login: LoginFailures, times: number, username: string, address: string): Promise<void> => {
      for (let n = 0; n < times; n++) await login.guard(username, address, 'login', FAILURE);
    };
    const refused = { status: 429, code: 'too_many_failures' };

    it('the limit is 10 per account and address; a success resets it', async () => {
      const [login, name, address] = [await instance(), randomUUID(), randomUUID()];
      await fail(login, 9, name, address);
      expect(await login.guard(name, address, 'login', SUCCESS)).toBe('in');
      await fail(login, 10, name, address);
      await expect(login.guard(name, address, 'login', SUCCESS)).rejects.toMatchObject(refused);
      expect(await login.guard(name, randomUUID(), 'login', SUCCESS)).toBe('in');
      expect(await login.guard(randomUUID(), address, 'login', SUCCESS)).toBe('in');
    });

    it('limit a verified password too, which resets failed logins, but not failed password changes', async () => {
      const [login, name, address] = [await instance(), randomUUID(), randomUUID()];
      await fail(login, 9, name, address);
      await login.resetAfterCachedLogin(failureKeysOf(name, address));
      await fail(login, 9, name, address);
      await login.resetAfterCachedLogin(failureKeysOf(name, address));
      for (let n = 0; n < 8; n++) await login.guard(name, address, 'change', FAILURE);
      await fail(login, 1, name, address);
      await login.resetAfterCachedLogin(failureKeysOf(name, address));
      await fail(login, 2, name, address);
      await expect((async () => login.resetAfterCachedLogin(failureKeysOf(name, address)))()).rejects.toMatchObject(
        refused,
      );
      expect(await login.resetAfterCachedLogin(failureKeysOf(name, randomUUID()))).toBeUndefined();
    });

    it('the limit is 1000 per address over all accounts, and no success resets it', async () => {
      const [login, address] = [await instance(), randomUUID()];
      for (let n = 0; n < 1000; n++) await login.guard(randomUUID(), address, 'login', FAILURE);
      await expect(login.guard(randomUUID(), address, 'login', SUCCESS)).rejects.toMatchObject(refused);
    });

    it('an IPv6 network of one customer is one address', async () => {
      const [login, name] = [await instance(), randomUUID()];
      const network = `2001:db8:${randomUUID().slice(0, 4)}:1`;
      for (let n = 0; n < 10; n++) await login.guard(name, `${network}::${String(n + 1)}`, 'login', FAILURE);
      await expect(login.guard(name, `${network}::ffff`, 'login', SUCCESS)).rejects.toMatchObject(refused);
    });

    if (title === 'in Redis') {
      it('are counted by all instances together', async () => {
        const [first, second, name, address] = [await instance(), await instance(), randomUUID(), randomUUID()];
        await fail(first, 5, name, address);
        await fail(second, 5, name, address);
        await expect(first.guard(name, address, 'login', SUCCESS)).rejects.toMatchObject(refused);
      });
    }
  });
}

failures('in memory', undefined);
failures('in Redis', url);
