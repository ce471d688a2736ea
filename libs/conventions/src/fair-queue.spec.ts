import { FairQueue } from './fair-queue.js';

/** Item `a1` belongs to the holder `a`. */
function queueOf(...names: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const name of names) queue.push(name.charAt(0), name);
  return queue;
}

function drained(queue: FairQueue<string>, cost: (name: string) => number = () => 0): string[] {
  const order: string[] = [];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    order.push(name);
    queue.charge(name.charAt(0), cost(name));
  }
  return order;
}

describe('A queue that is fair to its holders', () => {
  it('keeps the order of one holder', () => {
    expect(drained(queueOf('a1', 'a2', 'a3'))).toEqual(['a1', 'a2', 'a3']);
  });

  it('serves running work before new work', () => {
    const queue = queueOf('a1', 'a2', 'b1');
    const continues = (name: string): boolean => name.endsWith('+');
    queue.pushEarly('a', 'a3+', continues);
    queue.pushEarly('a', 'a4+', continues);
    queue.pushEarly('b', 'b2+', continues);
    queue.pushEarly('c', 'c1+', continues);
    expect(drained(queue)).toEqual(['a3+', 'b2+', 'c1+', 'a4+', 'b1', 'a1', 'a2']);
  });

  it('lets holders take turns', () => {
    expect(drained(queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('lets the holder go first that has used the least', () => {
    const order = drained(queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'b3'), (name) => (name.startsWith('a') ? 5 : 2));
    expect(order).toEqual(['a1', 'b1', 'b2', 'b3', 'a2', 'a3']);
  });

  it('gives a later holder no credit for earlier use', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'a4');
    for (let turn = 0; turn < 2; turn += 1) {
      queue.shift();
      queue.charge('a', 10);
    }
    for (const name of ['b1', 'b2', 'b3']) queue.push('b', name);
    expect(drained(queue, () => 10)).toEqual(['b1', 'a3', 'b2', 'a4', 'b3']);
  });

  it('remembers the use of a holder that has nothing waiting, until the others have used as much', () => {
    const queue = queueOf();
    queue.charge('a', 3);
    for (const name of ['a1', 'b1', 'b2', 'b3', 'b4']) queue.push(name.charAt(0), name);
    expect(drained(queue, () => 1)).toEqual(['b1', 'b2', 'b3', 'a1', 'b4']);
  });

  it('passes over a holder that may not continue', () => {
    const queue = queueOf('a1', 'b1');
    const others = (holder: string): number | undefined => (holder === 'a' ? undefined : 0);
    expect(queue.shift(others)).toBe('b1');
    expect(queue.shift(others)).toBeUndefined();
    expect(queue.size).toBe(1);
    expect(queue.shift()).toBe('a1');
  });

  it('continues with the one that is chosen for a holder', () => {
    const queue = queueOf('a1', 'a2', 'a3');
    expect(queue.shift((_, names) => names.indexOf('a2'))).toBe('a2');
    expect(drained(queue)).toEqual(['a1', 'a3']);
  });

  it('returns the matching entries, and counts the rest', () => {
    const queue = queueOf('a1', 'a2', 'b1', 'b2');
    expect(queue.take((name) => name.endsWith('1'))).toEqual(['a1', 'b1']);
    expect([queue.size, drained(queue), queue.size]).toEqual([2, ['a2', 'b2'], 0]);
  });
});
