import { BackgroundWork, type WarningLog } from '../background/background-work.js';
import type { Database } from '../database/database.js';

const PERIOD_MS = 10_000;
const TOLERATED_SECONDS = 2;
const REPEAT_MS = 60_000;
const LATEST_STAMP = 'SELECT coalesce(max(seq), 0) AS seq FROM collection_lanes';

/** Warns if the clocks of the collections are ahead of the clock of this machine. */
export class ClockWatch extends BackgroundWork {
  aheadSeconds = 0;
  private warnedAtMs = -Infinity;

  constructor(
    private readonly database: Pick<Database, 'query'>,
    private readonly warnings: WarningLog,
    private readonly now: () => number = Date.now,
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    super(warnings, PERIOD_MS, 'Could not compare the clocks; retrying in 10 s');
  }

  protected override async work(): Promise<void> {
    const [latest] = await this.database.query<{ seq: number }>(LATEST_STAMP);
    const aheadSeconds = (latest?.seq ?? 0) / 1_000_000 - this.now() / 1000;
    this.aheadSeconds = Math.max(0, aheadSeconds);
    if (aheadSeconds <= TOLERATED_SECONDS) {
      this.warnedAtMs = -Infinity;
      return;
    }
    if (this.elapsed() - this.warnedAtMs < REPEAT_MS) return;
    this.warnedAtMs = this.elapsed();
    this.warnings.warn(
      `The database has changes dated ${aheadSeconds.toFixed(1)} s after the clock of this machine; changes get later dates until it catches up`,
    );
  }
}
