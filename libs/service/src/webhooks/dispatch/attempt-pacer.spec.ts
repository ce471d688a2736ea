import { type TurnTaker, Turns } from './turns.js';

const clock = { nowMs: 0, monotonic: () => clock.nowMs };
const turn = (): Promise<void> => new Promise(setImmediate);

/** Begins so many, and says in what order. */
function beginner(name: string, count: number, begun: string[], isFailing = false): TurnTaker {
  let left = count;
  const beginOne = (): boolean => {
    if (left === 0) return false;
    begun.push(name);
    left -= 1;
    return true;
  };
  return { isFailing, beginOne };
}

describe('Turns', () => {
  it('begin nothing at once, and one attempt in a turn of the event loop', async () => {
    const [turns, begun]: [Turns, string[]] = [new Turns(clock), []];
    turns.add(beginner('a', 5, begun));
    expect(begun).toEqual([]);
    const counts: number[] = [];
    while (turns.over !== undefined) {
      await turn();
      counts.push(begun.length);
    }
    expect(counts.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
  });

  it('let all begin in turn', async () => {
    const [turns, begun]: [Turns, string[]] = [new Turns(clock), []];
    turns.add(beginner('a', 3, begun));
    turns.add(beginner('b', 1, begun));
    turns.add(beginner('c', 2, begun));
    await turns.over;
    expect(begun.join('')).toBe('abcaca');
  });

  it('begin more where turns are long, so that a busy service sends on', async () => {
    const [turns, begun]: [Turns, string[]] = [new Turns(clock), []];
    turns.add(beginner('a', 100, begun));
    clock.nowMs += 40;
    await turn();
    expect(begun).toHaveLength(11);
    await turn();
    expect(begun).toHaveLength(12);
    await turns.over;
  });

  it('pass over those that have nothing to begin', async () => {
    const [turns, begun]: [Turns, string[]] = [new Turns(clock), []];
    for (let n = 0; n < 19; n += 1) turns.add(beginner('idle', 0, begun));
    turns.add(beginner('a', 2, begun));
    await turn();
    expect(begun).toEqual(['a']);
    await turns.over;
  });

  it('let no webhook wait for receivers that fail, and leave them one attempt in a turn', async () => {
    const [turns, begun]: [Turns, string[]] = [new Turns(clock), []];
    for (let n = 0; n < 19; n += 1) turns.add(beginner('failing', 100, begun, true));
    turns.add(beginner('a', 10, begun));
    for (let turned = 1; turned <= 10; turned += 1) {
      await turn();
      const own = begun.filter((name) => name === 'a').length;
      expect([own, begun.length - own]).toEqual([turned, turned]);
    }
    await turns.over;
    expect(begun).toHaveLength(1910);
  });

  it('are over when there is nothing to begin, and begin again when there is', async () => {
    const [turns, begun]: [Turns, string[]] = [new Turns(clock), []];
    for (let n = 0; n < 2; n += 1) {
      turns.add(beginner('a', 1, begun));
      await turns.over;
      expect(turns.over).toBeUndefined();
    }
    expect(begun).toEqual(['a', 'a']);
  });
});
