import { type PacedWebhook, AttemptPacer } from './attempt-pacer.js';

const clock = { nowMs: 0, monotonic: () => clock.nowMs };
const turn = (): Promise<void> => new Promise(setImmediate);

/** Begins this number of attempts, and records their order. */
function beginner(name: string, count: number, begun: string[], isFailing = false): PacedWebhook {
  let left = count;
  const beginOne = (): boolean => {
    if (left === 0) return false;
    begun.push(name);
    left -= 1;
    return true;
  };
  return { isFailing, beginOne };
}

describe('AttemptPacer', () => {
  it('begins nothing synchronously, and one attempt per turn of the event loop', async () => {
    const [pacer, begun]: [AttemptPacer, string[]] = [new AttemptPacer(clock), []];
    pacer.add(beginner('a', 5, begun));
    expect(begun).toEqual([]);
    const counts: number[] = [];
    while (pacer.drained !== undefined) {
      await turn();
      counts.push(begun.length);
    }
    expect(counts.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
  });

  it('begins attempts of all webhooks in turn', async () => {
    const [pacer, begun]: [AttemptPacer, string[]] = [new AttemptPacer(clock), []];
    pacer.add(beginner('a', 3, begun));
    pacer.add(beginner('b', 1, begun));
    pacer.add(beginner('c', 2, begun));
    await pacer.drained;
    expect(begun.join('')).toBe('abcaca');
  });

  it('begins more if turns are long, so that a busy service continues to send', async () => {
    const [pacer, begun]: [AttemptPacer, string[]] = [new AttemptPacer(clock), []];
    pacer.add(beginner('a', 100, begun));
    clock.nowMs += 40;
    await turn();
    expect(begun).toHaveLength(11);
    await turn();
    expect(begun).toHaveLength(12);
    await pacer.drained;
  });

  it('skips webhooks that have nothing to begin', async () => {
    const [pacer, begun]: [AttemptPacer, string[]] = [new AttemptPacer(clock), []];
    for (let n = 0; n < 19; n += 1) pacer.add(beginner('idle', 0, begun));
    pacer.add(beginner('a', 2, begun));
    await turn();
    expect(begun).toEqual(['a']);
    await pacer.drained;
  });

  it('lets no webhook wait for failing receivers, which get one attempt per turn', async () => {
    const [pacer, begun]: [AttemptPacer, string[]] = [new AttemptPacer(clock), []];
    for (let n = 0; n < 19; n += 1) pacer.add(beginner('failing', 100, begun, true));
    pacer.add(beginner('a', 10, begun));
    for (let turned = 1; turned <= 10; turned += 1) {
      await turn();
      const own = begun.filter((name) => name === 'a').length;
      expect([own, begun.length - own]).toEqual([turned, turned]);
    }
    await pacer.drained;
    expect(begun).toHaveLength(1910);
  });

  it('ends when there is nothing to begin, and starts again later', async () => {
    const [pacer, begun]: [AttemptPacer, string[]] = [new AttemptPacer(clock), []];
    for (let n = 0; n < 2; n += 1) {
      pacer.add(beginner('a', 1, begun));
      await pacer.drained;
      expect(pacer.drained).toBeUndefined();
    }
    expect(begun).toEqual(['a', 'a']);
  });
});
