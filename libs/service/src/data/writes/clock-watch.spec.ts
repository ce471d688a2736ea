import { describeOnBothDatabases } from '../testing/store-database.testing.js';
import { ClockWatch } from './clock-watch.js';

const NOW_MS = 1_795_170_600_000;

describeOnBothDatabases('The watch of the clocks', (under) => {
  let nowMs: number;
  let elapsedMs: number;
  let warnings: string[];
  let watch: ClockWatch;

  beforeEach(async () => {
    [nowMs, elapsedMs, warnings] = [NOW_MS, 0, []];
    watch = new ClockWatch(
      under.database,
      { warn: (line) => void warnings.push(line) },
      () => nowMs,
      () => elapsedMs,
    );
    await under.database.transaction(async (tx) => {
      await tx.query('DELETE FROM collection_lanes');
      await tx.query(
        `INSERT INTO collection_lanes (collection, lane, seq, n, floor, checkpoint, checkpoint_at)
         VALUES ('mugs', 0, 0, 0, 0, 0, 0), ('mugs', 1, $1, 0, 0, 0, 0)`,
        [1000 * NOW_MS],
      );
    });
  });

  it('reports how far the latest clock is ahead, and 0 if none is', async () => {
    nowMs -= 1500;
    await watch.runNow();
    expect([watch.aheadSeconds, warnings]).toEqual([1.5, []]);
    nowMs = NOW_MS + 1;
    await watch.runNow();
    expect(watch.aheadSeconds).toBe(0);
  });

  it('warns above 2 s, once a minute', async () => {
    nowMs -= 7_200_000;
    await watch.runNow();
    expect(watch.aheadSeconds).toBe(7200);
    expect(warnings).toEqual([
      'The database has changes dated 7200.0 s after the clock of this machine; changes get later dates until it catches up',
    ]);
    elapsedMs = 59_999;
    await watch.runNow();
    expect(warnings).toHaveLength(1);
    elapsedMs = 60_000;
    await watch.runNow();
    expect(warnings).toHaveLength(2);
  });

  it('warns again immediately after the clocks agreed', async () => {
    nowMs -= 5000;
    await watch.runNow();
    nowMs = NOW_MS;
    await watch.runNow();
    nowMs -= 5000;
    await watch.runNow();
    expect(warnings).toHaveLength(2);
  });
});
