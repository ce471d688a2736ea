import { Database } from '@items/service/store';
import { postgresUnderTest } from '@items/testing';

import { restoreRelease } from './recorded-release.testing.js';
import { startOn } from './upgraded-service.testing.js';

/** Name of each baseline: the last of the migrations that it replaces. */
const BASELINES = [
  'OrderedClocks1000000000006',
  'CreateAuditEvents1000000000016',
  'VersionItems1763000000003',
  'CountOrdersByStatus1763000000041',
  'NoteFailures1763000000052',
  'IdentitiesOfUsers1763000000080',
];
const DIALECTS = postgresUnderTest() === undefined ? (['sqlite'] as const) : (['sqlite', 'postgres'] as const);

describe.each(DIALECTS)('§4.1 A database on %s that is older than 8795a3c', (dialect) => {
  it.each(BASELINES)('is refused with one sentence: it lacks %s', async (name) => {
    const { config, drop } = await restoreRelease('2026-11-26', dialect, postgresUnderTest());
    try {
      const { app, stop } = await startOn(config);
      await app.get(Database).transaction((tx) => tx.query('DELETE FROM migrations WHERE name = $1', [name]));
      await stop();
      const error: unknown = await startOn(config).catch((refused: unknown) => refused);
      expect((error as Error).stack).toBe(
        'DatabaseTooOldError: The database is older than commit 8795a3c: start that commit on it once, and then this version.',
      );
    } finally {
      await drop();
    }
  });
});
