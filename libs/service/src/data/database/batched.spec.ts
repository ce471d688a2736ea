import { databaseUnavailable } from './database-unavailable.js';
import { Batched } from './batched.js';

/** Batches in the order in which they ran. */
const done: (readonly number[])[] = [];
/** An item with an error fails its whole batch. */
const faults = new Map<number, Error>();
const gathered = new Batched<number, string>((items) => {
  done.push(items);
  const fault = items.find((item) => faults.has(item));
  return fault === undefined
    ? Promise.resolve(items.map((item) => `result of ${String(item)}`))
    : Promise.reject(faults.get(fault) ?? new Error());
});

beforeEach(() => {
  done.length = 0;
  faults.clear();
});

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

describe('Batched work', () => {
  it('runs items of one turn in batches of 8, 4, 2 and 1, and each item gets its own result', async () => {
    const asked = numbers(23).map((n) => gathered.add(n));
    expect(gathered.inFlight).toBe(23);
    const results = await Promise.all(asked);
    expect(gathered.inFlight).toBe(0);
    expect(results).toEqual(numbers(23).map((n) => `result of ${String(n)}`));
    expect(done.map(({ length }) => length)).toEqual([8, 8, 4, 2, 1]);
    expect(done.flat()).toEqual(numbers(23));
  });

  it('does not wait for later work', async () => {
    await gathered.add(1);
    await gathered.add(2);
    expect(done).toEqual([[1], [2]]);
  });

  it('fails only for the item that caused the error', async () => {
    faults.set(2, new Error('two'));
    const outcomes = await Promise.allSettled(numbers(4).map((n) => gathered.add(n)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: faults.get(2) });
    expect(gathered.inFlight).toBe(0);
    expect(done.map(({ length }) => length)).toEqual([4, 1, 1, 1, 1]);
  });

  it('is not retried if the database is unavailable', async () => {
    faults.set(0, databaseUnavailable());
    const outcomes = await Promise.allSettled(numbers(4).map((n) => gathered.add(n)));
    expect(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason === faults.get(0))).toBe(true);
    expect(done).toHaveLength(1);
    expect(gathered.inFlight).toBe(0);
  });
});
