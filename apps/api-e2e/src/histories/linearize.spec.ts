import { isLinearizable, type Operation, sessionProblem, smallestOf, totalProblem } from './linearize.js';

function op(
  kind: Operation['kind'],
  [begun, ended]: readonly [number, number],
  more: Partial<Operation> = {},
): Operation {
  return { kind, begun, ended, outcome: 'done', ...more };
}
const created = op('create', [0, 1], { value: 'a' });

describe('A history of one member', () => {
  const histories: [title: string, isRight: boolean, operations: Operation[]][] = [
    [
      'of reads and writes one after another is right',
      true,
      [op('replace', [2, 3], { value: 'b' }), op('read', [4, 5], { value: 'b' })],
    ],
    [
      'with a read during a write may show either',
      true,
      [op('replace', [2, 9], { value: 'b' }), op('read', [3, 4], { value: 'b' }), op('read', [5, 6], { value: 'b' })],
    ],
    [
      'with a read that goes back is wrong',
      false,
      [op('replace', [2, 9], { value: 'b' }), op('read', [3, 4], { value: 'b' }), op('read', [5, 6], { value: 'a' })],
    ],
    ['with a stale read is wrong', false, [op('replace', [2, 3], { value: 'b' }), op('read', [4, 5], { value: 'a' })]],
    [
      'with two successes of one If-Match is wrong',
      false,
      [op('replace', [2, 4], { value: 'b', expected: 'a' }), op('replace', [3, 5], { value: 'c', expected: 'a' })],
    ],
    [
      'with one success and one 412 of it is right',
      true,
      [
        op('replace', [2, 4], { value: 'b', expected: 'a' }),
        op('replace', [3, 5], { value: 'c', expected: 'a', outcome: 'mismatch' }),
      ],
    ],
    [
      'with a 412 although the tag was right is wrong',
      false,
      [op('replace', [3, 5], { value: 'c', expected: 'a', outcome: 'mismatch' })],
    ],
    [
      'with an unknown write may show it much later',
      true,
      [
        op('replace', [2, 3], { value: 'b', outcome: 'unknown' }),
        op('read', [4, 5], { value: 'a' }),
        op('read', [6, 7], { value: 'b' }),
      ],
    ],
    [
      'with an unknown write need not show it',
      true,
      [op('replace', [2, 3], { value: 'b', outcome: 'unknown' }), op('read', [4, 5], { value: 'a' })],
    ],
    [
      'with a refused write may show it',
      true,
      [op('replace', [2, 3], { value: 'b', outcome: 'refused' }), op('read', [4, 5], { value: 'b' })],
    ],
    [
      'with a write after its 503 is wrong',
      false,
      [
        op('replace', [2, 3], { value: 'b', outcome: 'refused' }),
        op('read', [4, 5], { value: 'a' }),
        op('read', [6, 7], { value: 'b' }),
      ],
    ],
    ['that is deleted has no further states', false, [op('delete', [2, 3]), op('read', [4, 5], { value: 'a' })]],
    [
      'that is deleted is absent for all',
      true,
      [op('delete', [2, 3]), op('read', [4, 5]), op('replace', [6, 7], { value: 'x', outcome: 'absent' })],
    ],
    [
      'that is deleted by an unknown request may be there or not',
      true,
      [op('delete', [2, 3], { outcome: 'unknown' }), op('read', [4, 5], { value: 'a' }), op('read', [6, 7])],
    ],
  ];
  it.each(histories)('%s', (_title, isRight, operations) => {
    expect(isLinearizable([created, ...operations])).toBe(isRight);
  });

  it('a history with many concurrent operations is checked quickly', () => {
    const writes = Array.from({ length: 20 }, (_, n) =>
      op('replace', [2 + n, 12 + n], { value: `v${n}`, outcome: n % 3 ? 'done' : 'unknown' }),
    );
    const reads = Array.from({ length: 20 }, (_, n) =>
      op('read', [11 + n, 13 + n], { value: `v${n % 3 ? n : n + 1}` }),
    );
    const began = process.cpuUsage();
    isLinearizable([created, ...writes, ...reads]);
    expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);
  });

  it('a wrong history is reduced to the operations that show the error', () => {
    const wrong = [op('replace', [2, 3], { value: 'b' }), op('read', [4, 5], { value: 'a' })];
    expect(smallestOf([created, ...wrong, op('read', [6, 7], { value: 'b' })])).toEqual([created, ...wrong]);
  });
});

describe('A total', () => {
  const members = [[created], [op('create', [4, 6], { value: 'c' })], [created, op('delete', [4, 6])]];
  it.each<[number, string | undefined]>([
    [2, undefined],
    [1, undefined],
    [3, undefined],
    [0, 'the total was 0, and 1 to 3 were possible'],
    [4, 'the total was 4, and 1 to 3 were possible'],
  ])('a total of %i during a creation and a deletion has this problem: %s', (total, problem) => {
    expect(totalProblem({ total, begun: 5, ended: 7 }, members)).toBe(problem);
  });
});

describe('The states that one user reads', () => {
  it.each<[(string | undefined)[], string | undefined]>([
    [['1', '2', '2'], undefined],
    [['2', '1'], 'a state of 1 was read after one of 2'],
    [['1', undefined], undefined],
    [[undefined, '1'], 'a deleted member was there again'],
  ])('%j: %s', (states, problem) => {
    const seen = states.map((at) => (at === undefined ? { isGone: true } : { at, isGone: false }));
    expect(sessionProblem(seen)).toBe(problem);
  });
});
