import { isPromise, andThen } from './eventual.js';

describe('A value that may be known at once', () => {
  it('goes on at once, without a promise, where it is known', () => {
    expect(andThen(1, (value) => value + 1)).toBe(2);
    expect(() =>
      andThen(1, () => {
        throw new Error('No.');
      }),
    ).toThrow('No.');
  });

  it('goes on later where it is not', async () => {
    const later = andThen(Promise.resolve(1), (value) => value + 1);
    expect(isPromise(later)).toBe(true);
    expect(await later).toBe(2);
    await expect(andThen(Promise.reject(new Error('No.')), () => 1)).rejects.toThrow('No.');
  });

  it('waits for anything with a `then`, whatever that returns', async () => {
    const lazy = {
      then: (next: (value: number) => void) => {
        next(1);
      },
    } as unknown as Promise<number>;
    const later = andThen(lazy, (value) => value + 1);
    expect(isPromise(later)).toBe(true);
    expect(await later).toBe(2);
  });

  it.each([undefined, null, 0, '', { then: 'a field' }])('takes %p for a value', (value) => {
    expect(isPromise(value)).toBe(false);
  });
});
