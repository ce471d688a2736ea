import { isLongForm, someOf } from '@items/testing';

import { describeOnBothDatabases } from './database.testing.js';
import { emptyPageExpires } from './check-expiry.testing.js';
import { checkWalks } from './check-walks.testing.js';
import { countFaults, noFaults } from './judge.testing.js';
import { expiryMutant, mutants } from './mutants.testing.js';
import { rangeMutants } from './range-mutants.testing.js';

const WALKS = Number(process.env['CHECK_WALKS'] ?? (isLongForm ? 100 : 30));
const LIMIT_MS = 1_800_000;

describeOnBothDatabases('SPEC §4: cursor paging neither skips nor duplicates rows when data changes', (under) => {
  it(
    `${String(WALKS)} walks among nine writers are complete`,
    async () => {
      const report = await checkWalks(under, { walks: WALKS });
      tell(under.database.dialect, report);
      expect({ ...report.faults, early: report.expiredTooEarly }).toEqual({ ...noFaults(), early: 0 });
      expect(report.pages).toBeGreaterThan(WALKS);
    },
    LIMIT_MS,
  );

  it('a walk that has expired is refused, also if the next page would be empty', async () => {
    expect(await emptyPageExpires(under.database)).toBe(true);
  });
});

describeOnBothDatabases('the check of walks notices', (under) => {
  it.each(someOf([...rangeMutants, ...mutants]).map((mutant) => ({ name: mutant.name, mutant })))(
    '$name',
    async ({ mutant }) => {
      if ((mutant.dialect ?? under.database.dialect) !== under.database.dialect) return;
      const remove = mutant.install();
      try {
        const report = await checkWalks(under, { walks: 2000, mutant });
        tell(`${under.database.dialect}, ${mutant.name}`, report);
        expect(countFaults(report.faults)).toBeGreaterThan(0);
      } finally {
        remove();
      }
    },
    LIMIT_MS,
  );

  it(expiryMutant.name, async () => {
    const remove = expiryMutant.install();
    try {
      expect(await emptyPageExpires(under.database)).toBe(false);
    } finally {
      remove();
    }
  });
});

function tell(what: string, { changes, ...report }: { changes: ReadonlyMap<string, number> }): void {
  if (process.env['CHECK_WALKS'] === undefined) return;
  process.stdout.write(`${what}: ${JSON.stringify({ ...report, changes: Object.fromEntries(changes) })}\n`);
}
