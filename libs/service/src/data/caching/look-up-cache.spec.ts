import { LookUpCache } from './look-up-cache.js';

interface Owner {
  readonly name: string;
  readonly endsAt: number | null;
}
const OWNER: Owner = { name: 'ada', endsAt: null };
const BEGIN_MS = 1_000_000;

describe('A look-up cache (SPEC §5.4: revocation holds everywhere within 5 s)', () => {
  let found: Owner | null;
  let nowMs: number;
  const lookUp = jest.fn((_key: string) => Promise.resolve(found));
  const clock = { now: () => nowMs };
  let cache: LookUpCache<Owner>;
  const get = (key: string) => cache.get(key, () => lookUp(key));
  const pass = (ms: number): void => {
    nowMs += ms;
    jest.setSystemTime(Date.now() + ms);
  };

  beforeEach(() => {
    jest.useFakeTimers({ now: BEGIN_MS });
    nowMs = 1;
    lookUp.mockReset().mockImplementation(() => Promise.resolve(found));
    found = OWNER;
    cache = new LookUpCache({ endsAt: ({ endsAt }) => endsAt, clock });
  });
  afterEach(() => jest.useRealTimers());

  it('reads the source once in 4 s, and returns cached values synchronously', async () => {
    await get('h');
    pass(4_000);
    expect(get('h')).toBe(OWNER);
    pass(1);
    found = null;
    expect(await get('h')).toBeNull();
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('counts hits and misses', async () => {
    await Promise.all([get('h'), get('h')]);
    await get('h');
    expect(cache.lookUps).toEqual({ hits: 1, misses: 2 });
    found = null;
    await get('missing');
    await get('missing');
    expect(cache.lookUps).toEqual({ hits: 2, misses: 3 });
  });

  it('caches for the given number of milliseconds', async () => {
    cache = new LookUpCache({ ttlMs: 10, clock });
    await get('h');
    pass(10);
    expect(get('h')).toBe(OWNER);
    pass(1);
    await get('h');
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it.each([-7_200_000, 7_200_000])('reads again after 4 s even if the system clock was set by %i ms', async (ms) => {
    await get('h');
    jest.setSystemTime(BEGIN_MS + ms);
    expect(get('h')).toBe(OWNER);
    pass(4_001);
    await get('h');
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('counts the age of a value from the start of a slow look-up', async () => {
    const loading = get('h');
    pass(3_000);
    await loading;
    pass(1_001);
    await get('h');
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it.each([0, 500])('expires with the value, if that is earlier, after a look-up of %i ms', async (ms) => {
    found = { ...OWNER, endsAt: BEGIN_MS + 1_000 };
    const loading = get('h');
    pass(ms);
    await loading;
    pass(999 - ms);
    expect(get('h')).toBe(found);
    pass(1);
    await get('h');
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('caches missing keys too, in limited memory', async () => {
    await get('valid');
    found = null;
    for (let index = 0; index < 50_000; index++) await get(`guess ${String(index)}`);
    expect(cache.size).toBeLessThan(40_000);
    expect(get('guess 49999')).toBeNull();
    expect(get('valid')).toBe(OWNER);
    expect(lookUp).toHaveBeenCalledTimes(50_001);
  });

  it('shares one look-up among concurrent callers', async () => {
    await Promise.all([get('h'), get('h'), get('h')]);
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['one key', (): void => cache.forget('h')],
    ['everything', (): void => cache.clear()],
  ])('is deleted immediately (%s), with the result of a look-up that has read before', async (_what, forget) => {
    const before = get('h');
    forget();
    found = null;
    expect(await get('h')).toBeNull();
    await before;
    expect(get('h')).toBeNull();
  });

  it('does not cache a failure', async () => {
    lookUp.mockImplementationOnce(() => Promise.reject(new Error('down')));
    await expect(get('h')).rejects.toThrow('down');
    expect(await get('h')).toBe(OWNER);
  });
});
