import type { Principal } from '../principal.js';
import { PrincipalCache, type FoundPrincipal } from './principal-cache.js';

const OWNER: Principal = {
  credentialId: 'k1',
  kind: 'api-key',
  userId: null,
  isAdmin: true,
  scopes: new Set(['items:read']),
  rateLimit: null,
};

describe('The cache of principals (authentication.md: revocation holds everywhere within 5 s)', () => {
  let found: FoundPrincipal | null;
  const lookUp = jest.fn(() => Promise.resolve(found));
  let cache: PrincipalCache;

  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
    lookUp.mockReset().mockImplementation(() => Promise.resolve(found));
    found = { principal: OWNER, expiresAt: null };
    cache = new PrincipalCache(lookUp);
  });
  afterEach(() => jest.useRealTimers());

  it('asks once in 5 s, and answers without a promise in between', async () => {
    await cache.get('h');
    jest.setSystemTime(1_004_999);
    expect(cache.get('h')).toBe(OWNER);
    jest.setSystemTime(1_005_000);
    found = null;
    expect(await cache.get('h')).toBeNull();
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('counts the 5 s from before a slow look-up', async () => {
    const loading = cache.get('h');
    jest.setSystemTime(1_003_000);
    await loading;
    jest.setSystemTime(1_005_000);
    await cache.get('h');
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('ends with the key, if that is earlier', async () => {
    found = { principal: OWNER, expiresAt: 1_001_000 };
    await cache.get('h');
    jest.setSystemTime(1_001_000);
    await cache.get('h');
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('remembers invalid secrets too, and is bounded whatever is tried', async () => {
    await cache.get('valid');
    found = null;
    for (let index = 0; index < 25_000; index++) await cache.get(`guess ${String(index)}`);
    expect(cache.size).toBe(5_001);
    expect(cache.get('guess 24999')).toBeNull();
    expect(cache.get('valid')).toBe(OWNER);
    expect(lookUp).toHaveBeenCalledTimes(25_001);
  });

  it('shares one look-up among those who ask at once', async () => {
    await Promise.all([cache.get('h'), cache.get('h'), cache.get('h')]);
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  it('forgets at once, and does not remember what a look-up on its way had read before', async () => {
    const before = cache.get('h');
    cache.clear();
    found = null;
    expect(await cache.get('h')).toBeNull();
    await before;
    expect(cache.get('h')).toBeNull();
  });

  it('remembers no failure', async () => {
    lookUp.mockImplementationOnce(() => Promise.reject(new Error('down')));
    await expect(cache.get('h')).rejects.toThrow('down');
    expect(await cache.get('h')).toBe(OWNER);
  });
});
