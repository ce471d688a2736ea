import { isPromise, thenMaybe } from './maybe-promise.js';

describe('A value that may be a promise', () => {
  it('is passed on synchronously, without a promise, if it is none', () => {
    expect(thenMaybe(1, (value) => value + 1)).toBe(2);
    expect(() =>
      thenMaybe(1, () => {
        throw new Error('No.');
      }),
    ).toThrow('No.');
  });

  it('is passed on later if it is a promise', async () => {
    const later = thenMaybe(Promise.resolve(1), (value) => value + 1);
    expect(isPromise(later)).toBe(true);
    expect(await later).toBe(2);
    await expect(thenMaybe(Promise.reject(new Error('No.')), () => 1)).rejects.toThrow('No.');
  });

  it('is awaited if it has a `then`, for any result of it', async () => {
    const lazy = {
      then: (next: (value: number) => void) => {
        next(1);
      },
    } as unknown as Promise<number>;
    const later = thenMaybe(lazy, (value) => value + 1);
    expect(isPromise(later)).toBe(true);
    expect(await later).toBe(2);
  });

  it.each([undefined, null, 0, '', { then: 'a field' }])('treats %p as a value', (value) => {
    expect(isPromise(value)).toBe(false);
  });
});
