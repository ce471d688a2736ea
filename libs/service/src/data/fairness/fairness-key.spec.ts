import {
  ActiveUsers,
  CredentialTurns,
  currentFairnessKey,
  runsFirst,
  OWN_WORK,
  userOf,
  withFairnessKey,
} from './fairness-key.js';

describe('A fairness key', () => {
  it('has the user before the blank; a login has no second part', () => {
    expect([userOf('ada key-1'), userOf('ada')]).toEqual(['ada', 'ada']);
    expect([runsFirst('ada key-1'), runsFirst('ada')]).toEqual([false, true]);
  });

  it('is the key of the running request, even after an await', async () => {
    const seen = await withFairnessKey(
      () => 'ada key-1',
      async () => {
        await Promise.resolve();
        return currentFairnessKey();
      },
    );
    expect([seen, currentFairnessKey()]).toEqual(['ada key-1', OWN_WORK]);
  });

  it('is read for each statement, because a request is authenticated meanwhile', () => {
    let key = '192.0.2.1';
    withFairnessKey(
      () => key,
      () => {
        expect(currentFairnessKey()).toBe('192.0.2.1');
        key = 'ada';
        expect(currentFairnessKey()).toBe('ada');
      },
    );
  });
});

describe('Active users', () => {
  it('are several for one second after two of them took turns', () => {
    const users = new ActiveUsers();
    users.notice('ada', 0);
    users.notice('ada', 10);
    expect(users.areSeveral(10)).toBe(false);
    users.notice('bob', 20);
    expect([users.areSeveral(20), users.areSeveral(1_019), users.areSeveral(1_020)]).toEqual([true, true, false]);
  });
});

describe('The credentials of a user', () => {
  const waiting = ['ada key-1', 'ada key-2', 'ada'].map((fairnessKey) => ({ fairnessKey }));

  it('come after the login', () => {
    expect(new CredentialTurns().choose(waiting)).toBe(2);
  });

  it('take turns: the one whose latest turn is the longest ago comes next', () => {
    const turns = new CredentialTurns();
    const keys = waiting.slice(0, 2);
    turns.recordTurn('ada key-1');
    expect(turns.choose(keys)).toBe(1);
    turns.recordTurn('ada key-2');
    expect(turns.choose(keys)).toBe(0);
  });

  it('wait if none may start', () => {
    const turns = new CredentialTurns();
    expect(turns.choose(waiting, ({ fairnessKey }) => fairnessKey === 'ada key-2')).toBe(1);
    expect(turns.choose(waiting, () => false)).toBeUndefined();
  });

  it('are remembered up to a limit, beyond which the least recently used one is forgotten', () => {
    const turns = new CredentialTurns();
    for (let n = 0; n <= 10_000; n += 1) turns.recordTurn(`user key-${String(n)}`);
    // key-0 is forgotten, so it counts as never served and comes first.
    expect(turns.choose([{ fairnessKey: 'user key-1' }, { fairnessKey: 'user key-0' }])).toBe(1);
  });
});
