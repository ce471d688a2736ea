import type { Database } from '../../data/database/database.js';
import { type DatabaseUnderTest, isLongForm, someOf } from '@items/testing';

import { checkFeed, provokeFaults, type FeedReport } from './check-feed.testing.js';
import { feedMutants, type FeedMutant } from './feed-mutants.testing.js';
import { countFeedFaults, noFeedFaults } from './judge-feed.testing.js';
import { describeOnBothDatabases } from './library.testing.js';

const SECONDS = Number(process.env['CHECK_EVENTS'] ?? (isLongForm ? 10 : 1));
const LIMIT_MS = 1_800_000;
const REFUSED = 'refused by the database';

describeOnBothDatabases('SPEC §6.1: the feed has all acknowledged writes in one order', (under) => {
  it(
    `four followers of sixteen writers on two instances, one of which is killed, get all (${String(SECONDS)} s)`,
    async () => {
      const report = await checkFeed(under, { seconds: SECONDS });
      tell(under.database.dialect, report);
      expect(report.faults).toEqual(noFeedFaults());
      expect(report.events).toBeGreaterThan(20);
    },
    LIMIT_MS,
  );
});

describeOnBothDatabases('the check of the feed finds the fault:', (under) => {
  it.each(someOf(feedMutants).map((mutant) => ({ name: mutant.name, mutant })))(
    '$name',
    async ({ mutant }) => {
      const remove = mutant.install();
      try {
        if (!mutant.on.includes(under.database.dialect)) return await expectHarmless(under, mutant);
        const report = await provokeFaults(under, mutant, 20).catch(refusal);
        if (report === REFUSED) return;
        tell(`${under.database.dialect}, ${mutant.name}`, report);
        expect(countFeedFaults(report.faults)).toBeGreaterThan(0);
      } finally {
        remove();
      }
    },
    LIMIT_MS,
  );
});

/** On SQLite, these faults have no effect, because it has a single writer. */
async function expectHarmless(under: DatabaseUnderTest<Database>, mutant: FeedMutant): Promise<void> {
  expect((await checkFeed(under, { seconds: 0.5, mutant })).faults).toEqual(noFeedFaults());
}

/** SQLite refuses some faults, because no two events may share a stamp. */
function refusal(error: unknown): typeof REFUSED {
  if (String(error).includes('UNIQUE constraint failed: events.place')) return REFUSED;
  throw error;
}

function tell(what: string, report: FeedReport): void {
  if (process.env['CHECK_EVENTS'] === undefined) return;
  process.stdout.write(`${what}: ${JSON.stringify(report)}\n`);
}
