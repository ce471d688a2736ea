import { Changes } from './changes.js';

describe('Changes', () => {
  it('wake all waiting loops, and none that begins to wait later', async () => {
    const changes = new Changes();
    const seen: string[] = [];
    const wait = (name: string): Promise<unknown> => changes.next(Infinity).then(() => seen.push(name));
    const [a, b] = [wait('a'), wait('b')];
    expect(changes.waiters).toBe(2);
    changes.notify();
    const c = wait('c');
    await Promise.all([a, b]);
    expect([seen, changes.waiters]).toEqual([['a', 'b'], 1]);
    changes.notify();
    await c;
    expect([seen, changes.waiters]).toEqual([['a', 'b', 'c'], 0]);
  });

  it('wake a loop after a time, or earlier on a change', async () => {
    const changes = new Changes();
    await changes.next(1);
    const clear = jest.spyOn(globalThis, 'clearTimeout');
    const later = changes.next(60_000);
    changes.notify();
    await later;
    expect(clear).toHaveBeenCalledTimes(1);
    clear.mockRestore();
    expect(changes.waiters).toBe(0);
  });

  it('set no timer if the wait has no time limit', () => {
    const set = jest.spyOn(globalThis, 'setTimeout');
    void new Changes().next(Infinity);
    expect(set).not.toHaveBeenCalled();
    set.mockRestore();
  });
});
