import { Outage, type OutageWords, reasonOf, UNANSWERED } from '../outages/outage.js';
import type { StoreLog } from '../outages/store-log.js';
import { codeOf } from './error-code.js';

/** Why a database does not answer, in a word that does not depend on the driver. */
export const OUTAGE_CAUSES = ['unreachable', 'slow', 'disk_full', 'file_lost', 'other'] as const;

/**
 * - `unreachable`: no connection to the server, or none that may write.
 * - `slow`: it answers too late, or something else holds its locks.
 * - `disk_full`: it has no room to write.
 * - `file_lost`: the SQLite file was deleted or replaced.
 */
export type OutageCause = (typeof OUTAGE_CAUSES)[number];

/** The database file is not the one that was opened. */
export class DatabaseLostError extends Error {
  constructor(readonly problem: string) {
    super(
      `${problem} while it was in use: put back the very same file, or stop the service and run ` +
        '`npm run admin -- restore FILE`; do not put another file there while the service runs',
    );
  }
}

const NO_ROOM: OutageWords = {
  begins: 'has no room left on its disk',
  goesOn: 'still has no room on its disk',
  ends: UNANSWERED.ends,
};

/** By codes of SQLite, of PostgreSQL (SQLSTATE) and of the network; the first that fits. */
const CODES: readonly (readonly [RegExp, OutageCause])[] = [
  [/^(SQLITE_FULL|53100$|ENOSPC|EDQUOT)/, 'disk_full'],
  [/^(SQLITE_BUSY|SQLITE_LOCKED|SQLITE_PROTOCOL|57014$|25P03$|55P03$|40001$|40P01$)/, 'slow'],
  [/^(08|53300$|57P|25006$|E[A-Z_]+$)/, 'unreachable'],
];
/** What the driver of PostgreSQL says without a code. */
const SENTENCES: readonly (readonly [RegExp, OutageCause])[] = [
  [/timeout exceeded when trying to connect|took too long|Query read timeout/i, 'slow'],
  [/connect|terminated|socket/i, 'unreachable'],
];

/** @param cause what was thrown. */
export function outageCauseOf(cause: unknown): OutageCause {
  if (cause instanceof DatabaseLostError) return 'file_lost';
  const fits = (text: string, among: typeof CODES) => among.find(([pattern]) => pattern.test(text))?.[1];
  return fits(codeOf(cause), CODES) ?? fits(reasonOf(cause), SENTENCES) ?? 'other';
}

/** Tells of a database that is down or too slow. */
export class DatabaseOutage extends Outage {
  private latest: OutageCause | undefined;

  constructor(log: StoreLog) {
    super(
      (fields, message) => {
        log.error(fields, message);
      },
      'The database',
      '; what needs it is answered 503',
    );
  }

  /** Why the latest failure failed; undefined where there is no outage. */
  get causeNow(): OutageCause | undefined {
    return this.isOn ? this.latest : undefined;
  }

  protected override get words(): OutageWords {
    return this.latest === 'disk_full' ? NO_ROOM : UNANSWERED;
  }

  override fail(cause: unknown): void {
    this.latest = outageCauseOf(cause);
    super.fail(cause);
  }
}
