import { describeOnBothDatabases } from '../testing/store-database.testing.js';
import { Idempotency, RETENTION_MS, type Creation } from './idempotency.js';
import { OldRecords } from './old-records.js';

const NOW_MS = Date.UTC(2026, 0, 2);
const CREATED: Creation<{ n: number }> = { resource: { n: 1 }, etag: '"1"', location: '/things/1' };

describeOnBothDatabases('SPEC §4.4 An Idempotency-Key is remembered for 24 h', (under) => {
  const post = (key: string): Promise<unknown> => {
    const request = { callerId: 'c', route: '/things', key, fingerprint: 'f' };
    return new Idempotency(under.database).run(request, 'replayable', () => Promise.resolve(CREATED));
  };
  const remembered = async (): Promise<unknown[]> =>
    (await under.database.query<{ key: string }>('SELECT key FROM idempotency_records ORDER BY key')).map(
      ({ key }) => key,
    );

  beforeAll(async () => {
    for (let n = 0; n < 450; n++) await post(`old ${String(n)}`);
    await under.database.transaction((tx) =>
      tx.query('UPDATE idempotency_records SET created_at = $1', [NOW_MS - RETENTION_MS]),
    );
    await post('young');
    await under.database.transaction((tx) =>
      tx.query("UPDATE idempotency_records SET created_at = $1 WHERE key = 'young'", [NOW_MS - RETENTION_MS + 1]),
    );
  });

  it('deletes any number of expired records', async () => {
    const oldRecords = new OldRecords(under.database, console);
    expect(await oldRecords.deleteExpired(undefined, NOW_MS)).toBe(450);
    expect(await remembered()).toEqual(['young']);
    expect(await oldRecords.deleteExpired(undefined, NOW_MS)).toBe(0);
  });

  it('deletes expired records in the background', async () => {
    await new OldRecords(under.database, console).runNow();
    expect(await remembered()).toEqual([]);
  });
});
