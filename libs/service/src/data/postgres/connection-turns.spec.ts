import { withFairnessKey } from '../fairness/fairness-key.js';
import { ConnectionTurns, type ReleaseConnection } from './connection-turns.js';

describe('The connections of a pool', () => {
  let turns: ConnectionTurns;
  let given: string[];
  let givenBack: Map<string, ReleaseConnection>;

  beforeEach(() => {
    jest.useFakeTimers();
    turns = new ConnectionTurns(3, { alone: 2, amongOthers: 2 });
    [given, givenBack] = [[], new Map()];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const take = async (name: string): Promise<void> => {
    const [fairnessKey = ''] = name.split(/\d/);
    const giveBack = await withFairnessKey(
      () => fairnessKey,
      () => turns.take(2000),
    );
    given.push(giveBack === undefined ? `${name} too late` : name);
    if (giveBack !== undefined) givenBack.set(name, giveBack);
  };
  const settled = (): Promise<unknown> => jest.advanceTimersByTimeAsync(0);
  const takeAll = async (...names: string[]): Promise<void> => {
    for (const name of names) void take(name);
    await settled();
  };
  const release = async (name: string, afterMs = 0): Promise<void> => {
    await jest.advanceTimersByTimeAsync(afterMs);
    givenBack.get(name)?.();
    await settled();
  };

  it('are available immediately, but never all of them to one user', async () => {
    expect(typeof turns.take(2000)).toBe('function');
    await takeAll('ada1', 'ada2', 'ada3');
    expect([given, turns.waiting]).toEqual([['ada1', 'ada2'], 1]);
    turns = new ConnectionTurns(3, { alone: 2, amongOthers: 2 });
    await takeAll('bob1', 'bob2', 'bob3', 'ada4');
    expect(given.slice(2)).toEqual(['bob1', 'bob2', 'ada4']);
  });

  it('go to the user with the least used time, for any number of keys', async () => {
    await takeAll('ada k1', 'ada l2', 'eve1', 'ada m3', 'ada n4', 'bob5', 'ada6');
    await release('ada k1', 10);
    await release('ada l2', 10);
    await release('bob5', 1);
    expect(given).toEqual(['ada k1', 'ada l2', 'eve1', 'bob5', 'ada6', 'ada m3']);
  });

  it('are limited further for one user while others are active', async () => {
    turns = new ConnectionTurns(8, { alone: 4, amongOthers: 2 });
    await takeAll('ada1', 'ada2', 'ada3', 'bob4', 'bob5', 'bob6', 'ada7');
    expect(given).toEqual(['ada1', 'ada2', 'ada3', 'bob4', 'bob5']);
    await release('ada1');
    expect(given).toHaveLength(5);
    await release('ada2');
    expect(given.slice(5)).toEqual(['ada7']);
    await release('bob4', 1500);
    expect(given.slice(6)).toEqual(['bob6']);
  });

  it('go to logins first, and to each key in turn', async () => {
    await takeAll('ada k1', 'ada k2', 'ada k3', 'ada k4', 'ada l5', 'ada6');
    for (const name of ['ada k1', 'ada k2', 'ada6', 'ada k3']) await release(name, 1);
    expect(given).toEqual(['ada k1', 'ada k2', 'ada6', 'ada k3', 'ada l5', 'ada k4']);
  });

  it('are not taken after the timeout, and the waiting call is removed', async () => {
    await takeAll('ada1', 'ada2', 'bob3', 'eve4');
    await jest.advanceTimersByTimeAsync(2000);
    expect([given.at(-1), turns.waiting]).toEqual(['eve4 too late', 0]);
    for (const name of ['ada1', 'ada2', 'bob3']) await release(name);
    await takeAll('eve5', 'eve6', 'bob7');
    expect(given.slice(-3)).toEqual(['eve5', 'eve6', 'bob7']);
  });

  it("have no limit for the service's own work", () => {
    for (let n = 0; n < 3; n += 1) expect(typeof turns.take(2000)).toBe('function');
    expect(turns.take(2000)).toBeInstanceOf(Promise);
  });
});
