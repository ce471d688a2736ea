import { describeOnBothDatabases } from '../testing/store-database.testing.js';
import type { Transaction } from '../database/database.js';
import { lockByRow } from '../database/settings.js';
import { type Creation, Idempotency, type IdempotentCreation, RETENTION_MS } from './idempotency.js';

type Made = IdempotentCreation<{ n: number }>;

describeOnBothDatabases('SPEC §4.4 A repeated POST with an Idempotency-Key', (under) => {
  let made = 0;
  const requestOf = (key: string, fingerprint = 'f') => ({ callerId: 'c', route: '/things', key, fingerprint });
  const make = (): Promise<Creation<{ n: number }>> => {
    made += 1;
    return Promise.resolve({ resource: { n: made }, etag: `"${String(made)}"`, location: `/things/${String(made)}` });
  };
  /** Each call uses a separate instance. */
  const post = (key: string, work: (tx: Transaction) => Promise<Creation<{ n: number }>> = make): Promise<Made> =>
    new Idempotency(under.database).run(requestOf(key), 'replayable', work);

  beforeEach(() => (made = 0));

  it('runs once on any instance', async () => {
    const first = await post('once');
    expect(first).toMatchObject({ resource: { n: 1 }, replayed: false });
    expect(await post('once')).toEqual({ ...first, replayed: true });
    expect(made).toBe(1);
  });

  it('runs once under concurrent requests: the others replay it or get 409', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => post('at once')));
    expect(made).toBe(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') expect(outcome.value.resource).toEqual({ n: 1 });
      else expect(outcome.reason).toMatchObject({ code: 'idempotency_key_in_flight' });
    }
    expect(await post('at once')).toMatchObject({ resource: { n: 1 }, replayed: true });
  });

  it('gets 409 while another instance runs it (PostgreSQL); other lock timeouts are unchanged', async () => {
    const { database } = under;
    if (database.dialect !== 'postgres') return;
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const timeouts: unknown[] = [];
    const first = post('slow', async (tx) => {
      timeouts.push(...(await tx.query('SHOW lock_timeout')));
      begin();
      await finished;
      return make();
    });
    await begun;
    await expect(post('slow')).rejects.toMatchObject({ code: 'idempotency_key_in_flight' });
    finish();
    expect(await first).toMatchObject({ replayed: false });
    expect(await post('slow')).toMatchObject({ replayed: true });
    expect(timeouts).toEqual([{ lock_timeout: '0' }]);
  });

  it('is refused inside a transaction, which is rolled back', async () => {
    const { database } = under;
    for (const request of [requestOf('inside'), undefined]) {
      const work = database.transaction(() => new Idempotency(database).run(request, 'replayable', make));
      await expect(work).rejects.toThrow(/Pass the tx of the outer one/);
    }
    expect(made).toBe(0);
  });

  it('runs again after a failure, and after a day', async () => {
    await expect(post('failed', () => Promise.reject(new Error('No.')))).rejects.toThrow('No.');
    expect(await post('failed')).toMatchObject({ resource: { n: 1 }, replayed: false });
    await under.database.transaction((tx) =>
      tx.query('UPDATE idempotency_records SET created_at = $1', [Date.now() - RETENTION_MS]),
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => post('failed')));
    expect(made).toBe(2);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await post('failed')).toMatchObject({ resource: { n: 2 }, replayed: true });
  });
});

describeOnBothDatabases('lockByRow()', (under) => {
  it('serializes transactions with the same name, and does not block others', async () => {
    let inside = 0;
    let most = 0;
    const work = (name: string): Promise<void> =>
      under.database.transaction(async (tx) => {
        await lockByRow(tx, name);
        inside += 1;
        most = Math.max(most, inside);
        await tx.query('SELECT 1');
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 8 }, () => work('one')));
    expect(most).toBe(1);
  });
});
