import { sparingly } from './metrics-server.js';

/** Creates work and pauses that the test ends. */
function heldWork() {
  const works: ((made: string) => void)[] = [];
  const rests: (() => void)[] = [];
  const ask = sparingly(
    () => new Promise<string>((resolve) => works.push(resolve)),
    () => new Promise<void>((end) => rests.push(end)),
  );
  return { works, rests, ask };
}
const settled = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

describe('sparingly', () => {
  it('calls before a run begins share it, and later calls share the next run', async () => {
    const { works, rests, ask } = heldWork();
    const first = [ask(), ask()];
    await settled();
    expect(works).toHaveLength(1);
    const later = [ask(), ask()];
    works[0]?.('first');
    expect(await Promise.all(first)).toEqual(['first', 'first']);
    await settled();
    expect(works).toHaveLength(1);
    rests[0]?.();
    await settled();
    expect(works).toHaveLength(2);
    works[1]?.('second');
    expect(await Promise.all(later)).toEqual(['second', 'second']);
  });

  it('a failure rejects the calls that share it, and no others', async () => {
    let fails = true;
    const ask = sparingly(
      () => (fails ? Promise.reject(new Error('broken')) : Promise.resolve('made')),
      () => Promise.resolve(),
    );
    await expect(ask()).rejects.toThrow('broken');
    fails = false;
    expect(await ask()).toBe('made');
  });
});
