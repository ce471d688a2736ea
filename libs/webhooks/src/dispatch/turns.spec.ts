import { Turns } from './turns.js';

const turn = (): Promise<void> => new Promise(setImmediate);

/** Begins so many, and says in what order. */
function beginner(name: string, count: number, begun: string[]): () => boolean {
  let left = count;
  return () => {
    begun.push(name);
    left -= 1;
    return left > 0;
  };
}

function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe('Turns', () => {
  it('begin nothing at once, and one attempt in a turn of the event loop', async () => {
    const [turns, begun]: [Turns, string[]] = [new Turns(), []];
    turns.ask(beginner('a', 5, begun));
    expect(begun).toEqual([]);
    const counts: number[] = [];
    while (turns.over !== undefined) {
      await turn();
      counts.push(begun.length);
    }
    expect(begun).toHaveLength(5);
    expect(counts.length).toBeGreaterThanOrEqual(3);
  });

  it('let all who ask begin in turn', async () => {
    const [turns, begun]: [Turns, string[]] = [new Turns(), []];
    turns.ask(beginner('a', 3, begun));
    turns.ask(beginner('b', 1, begun));
    turns.ask(beginner('c', 2, begun));
    await turns.over;
    expect(begun.join('')).toBe('abcaca');
  });

  it('begin more where turns are long, so that a busy service sends on', async () => {
    const [turns, begun]: [Turns, string[]] = [new Turns(), []];
    turns.ask(beginner('a', 100, begun));
    block(40);
    await turn();
    expect(begun.length).toBeGreaterThanOrEqual(10);
    await turns.over;
  });

  it('are over when nobody has anything to begin, and begin again when somebody has', async () => {
    const [turns, begun]: [Turns, string[]] = [new Turns(), []];
    for (let n = 0; n < 2; n += 1) {
      turns.ask(beginner('a', 1, begun));
      await turns.over;
      expect(turns.over).toBeUndefined();
    }
    expect(begun).toEqual(['a', 'a']);
  });
});
