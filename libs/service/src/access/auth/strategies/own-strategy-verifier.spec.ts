import { ServiceUnavailableError } from '@items/conventions';
import type { FastifyRequest } from 'fastify';

import type { Account } from '../../accounts/account.js';
import type { AuthStrategy } from './auth-strategy.js';
import { OwnStrategyVerifier, type OwnStrategyParts, VALIDATION_LIMIT_MS } from './own-strategy-verifier.js';

const ROW = { name: 'sso', header: 'X-SSO-Token' } as AuthStrategy;
const TOKEN = 'a-secret-token';
const REQUEST = { ip: '127.0.0.1', id: 'r1', headers: { 'x-sso-token': TOKEN } } as unknown as FastifyRequest;
const ACCOUNT = { id: 'ada', role: 'member', disabled: false, scopes: new Set(['items:read']) } as unknown as Account;

/** Creates a verifier with the strategy of a test. */
function verifier(authenticate: (this: { error(reason: unknown): void; success(user: unknown): void }) => void): {
  readonly verifier: OwnStrategyVerifier;
  readonly failures: string[];
} {
  const failures: string[] = [];
  const parts: OwnStrategyParts = {
    accounts: { find: (id) => (id === 'ada' ? ACCOUNT : undefined) },
    failures: {
      requireAddress: () => undefined,
      addFailure: (address) => Promise.resolve(void failures.push(address)),
    },
    audit: { record: () => undefined },
    permissions: { isScope: (text): text is never => text === 'items:read' },
  };
  return { verifier: new OwnStrategyVerifier(ROW, { authenticate }, parts, { now: () => Date.now() }), failures };
}

describe('An own strategy', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is 503 after 4 s, which does not count as a failed login', async () => {
    jest.useFakeTimers();
    const hanging = verifier(() => undefined);
    const outcome = jest.fn<undefined, [unknown]>();
    void hanging.verifier.verify(REQUEST).catch(outcome);
    await jest.advanceTimersByTimeAsync(VALIDATION_LIMIT_MS - 1);
    expect(outcome).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(outcome).toHaveBeenCalledWith(expect.any(ServiceUnavailableError));
    expect([hanging.failures, jest.getTimerCount()]).toEqual([[], 0]);
  });

  it('writes no credential in the log when it fails', async () => {
    const failing = verifier(function () {
      this.error(Object.assign(new Error(`No user has ${TOKEN}.`), { config: { headers: REQUEST.headers } }));
    });
    const error = (await failing.verifier.verify(REQUEST).catch((reason: unknown) => reason)) as Error;
    const { message, stack, ...more } = error.cause as Error;
    expect(message).toBe('No user has [redacted].');
    expect(JSON.stringify([stack, more])).not.toContain(TOKEN);
  });

  it('caches a result until expiresAt, at most for 60 s', async () => {
    jest.useFakeTimers();
    const expiresAt = new Date(Date.now() + 90_000);
    const cached = verifier(function () {
      this.success({ userId: 'ada', expiresAt });
    });
    await cached.verifier.verify(REQUEST);
    jest.advanceTimersByTime(59_000);
    expect(cached.verifier.cached(REQUEST)).toMatchObject({ credentialId: 'strategy:sso', userId: 'ada' });
    jest.advanceTimersByTime(2_000);
    expect(cached.verifier.cached(REQUEST)).toBeUndefined();
    await cached.verifier.verify(REQUEST);
    jest.advanceTimersByTime(28_000);
    expect(cached.verifier.cached(REQUEST)).toBeDefined();
    jest.advanceTimersByTime(2_000);
    expect(cached.verifier.cached(REQUEST)).toBeUndefined();
  });

  it('counts each invalid caller as a failed login of the address', async () => {
    for (const result of [null, false, { userId: 'bob' }, { userId: 'ada', expiresAt: new Date(0) }]) {
      const refusing = verifier(function () {
        this.success(result);
      });
      expect(await refusing.verifier.verify(REQUEST)).toBeNull();
      expect(refusing.failures).toEqual(['127.0.0.1']);
    }
  });
});
