import { ReadThroughCache } from './read-through-cache.js';

interface Owner {
  readonly name: string;
  readonly endsAt: number | null;
}
const OWNER: Owner = { name: 'ada', endsAt: null };
const BEGIN_MS = 1_000_000;

describe('What was looked up (SPEC §5.4: revocation holds everywhere within 5 s)', () => {
  let found: Owner | null;
  const lookUp = jest.fn((_asked: string) => Promise.resolve(found));
  let lookUps: ReadThroughCache<Owner>;

  beforeEach(() => {
    jest.useFakeTimers({ now: BEGIN_MS });
    lookUp.mockReset().mockImplementation(() => Promise.resolve(found));
    found = OWNER;
    lookUps = new ReadThroughCache(lookUp, { endsAt: ({ endsAt }) => endsAt });
  });
  afterEach(() => jest.useRealTimers());

  it('is asked for once in 4 s, and given without a promise in between', async () => {
    await lookUps.get('h');
    jest.advanceTimersByTime(3_999);
    expect(lookUps.get('h')).toBe(OWNER);
    jest.advanceTimersByTime(1);
    found = null;
    expect(await lookUps.get('h')).toBeNull();
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('is counted by whether it was known', async () => {
    await Promise.all([lookUps.get('h'), lookUps.get('h')]);
    await lookUps.get('h');
    expect(lookUps.lookUps).toEqual({ hits: 1, misses: 2 });
    found = null;
    await lookUps.get('nobody');
    await lookUps.get('nobody');
    expect(lookUps.lookUps).toEqual({ hits: 2, misses: 3 });
  });

  it('is believed for as long as the cache is told', async () => {
    lookUps = new ReadThroughCache(lookUp, { knownForMs: 10 });
    await lookUps.get('h');
    jest.advanceTimersByTime(9);
    expect(lookUps.get('h')).toBe(OWNER);
    jest.advanceTimersByTime(1);
    await lookUps.get('h');
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it.each([-7_200_000, 7_200_000])('is asked for again after 4 s also where the clock was set by %i ms', async (ms) => {
    await lookUps.get('h');
    jest.setSystemTime(BEGIN_MS + ms);
    expect(lookUps.get('h')).toBe(OWNER);
    jest.advanceTimersByTime(4_000);
    await lookUps.get('h');
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('is as old as the beginning of a slow look-up', async () => {
    const loading = lookUps.get('h');
    jest.advanceTimersByTime(3_000);
    await loading;
    jest.advanceTimersByTime(1_000);
    await lookUps.get('h');
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('ends by itself, if that is earlier', async () => {
    found = { ...OWNER, endsAt: BEGIN_MS + 1_000 };
    await lookUps.get('h');
    jest.advanceTimersByTime(1_000);
    await lookUps.get('h');
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('is remembered where nothing was found too, and bounded whatever is tried', async () => {
    await lookUps.get('valid');
    found = null;
    for (let index = 0; index < 25_000; index++) await lookUps.get(`guess ${String(index)}`);
    expect(lookUps.size).toBe(10_001);
    expect(lookUps.get('guess 24999')).toBeNull();
    expect(lookUps.get('valid')).toBe(OWNER);
    expect(lookUp).toHaveBeenCalledTimes(25_001);
  });

  it('is one look-up for those who ask at once', async () => {
    await Promise.all([lookUps.get('h'), lookUps.get('h'), lookUps.get('h')]);
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  it('is remembered under another key, where one is made of what was asked for', async () => {
    lookUps = new ReadThroughCache(lookUp, { keyOf: (asked) => asked.toLowerCase() });
    await Promise.all([lookUps.get('H'), lookUps.get('h')]);
    expect(lookUps.get('H')).toBe(OWNER);
    expect(lookUp.mock.calls).toEqual([['H']]);
    lookUps.forget('H');
    await lookUps.get('h');
    expect(lookUp.mock.calls).toEqual([['H'], ['h']]);
  });

  it.each([
    ['one key', (): void => lookUps.forget('h')],
    ['everything', (): void => lookUps.clear()],
  ])('is forgotten at once (%s), with what a look-up on its way had read before', async (_what, forget) => {
    const before = lookUps.get('h');
    forget();
    found = null;
    expect(await lookUps.get('h')).toBeNull();
    await before;
    expect(lookUps.get('h')).toBeNull();
  });

  it('is no failure', async () => {
    lookUp.mockImplementationOnce(() => Promise.reject(new Error('down')));
    await expect(lookUps.get('h')).rejects.toThrow('down');
    expect(await lookUps.get('h')).toBe(OWNER);
  });
});
