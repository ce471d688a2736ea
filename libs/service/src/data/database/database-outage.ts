import { Outage, type OutageWords, reasonOf, NOT_RESPONDING } from '../outages/outage.js';
import type { StoreLog } from '../outages/store-log.js';
import { codeOf } from './error-codes.js';

export const OUTAGE_CAUSES = ['unreachable', 'slow', 'disk_full', 'file_lost', 'other'] as const;

/**
 * - `unreachable`: no connection to a writable server.
 * - `slow`: a timeout, a deadlock, or a lock held too long.
 * - `file_lost`: the SQLite file was deleted or replaced.
 */
export type OutageCause = (typeof OUTAGE_CAUSES)[number];

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
  continues: 'still has no room on its disk',
  ends: NOT_RESPONDING.ends,
};

/** Codes of SQLite, PostgreSQL (SQLSTATE) and the network. The first match wins. */
const CODES: readonly (readonly [RegExp, OutageCause])[] = [
  [/^(SQLITE_FULL|53100$|ENOSPC|EDQUOT)/, 'disk_full'],
  [/^(SQLITE_BUSY|SQLITE_LOCKED|SQLITE_PROTOCOL|57014$|25P03$|55P03$|40001$|40P01$)/, 'slow'],
  [/^(08|53300$|57P|25006$|E[A-Z_]+$)/, 'unreachable'],
];
const SENTENCES: readonly (readonly [RegExp, OutageCause])[] = [
  [/timeout exceeded when trying to connect|took too long|Query read timeout/i, 'slow'],
  [/connect|terminated|socket/i, 'unreachable'],
];

export function outageCauseOf(cause: unknown): OutageCause {
  if (cause instanceof DatabaseLostError) return 'file_lost';
  const fits = (text: string, among: typeof CODES) => among.find(([pattern]) => pattern.test(text))?.[1];
  return fits(codeOf(cause), CODES) ?? fits(reasonOf(cause), SENTENCES) ?? 'other';
}

const TIMEOUTS_OF_OUTAGE = 3;

/**
 * An outage begins with the third timeout in a row, or with any other failure. Earlier timeouts count as slow
 * statements.
 */
export class DatabaseOutage extends Outage {
  private latest: OutageCause | undefined;
  private timeouts = 0;
  private slowStatements = 0;
  private succeededAtMs = -Infinity;

  constructor(log: StoreLog) {
    const errors = { warn: (fields: object, message: string) => log.error(fields, message) };
    super(errors, 'The database', '; requests that need it get 503');
  }

  get causeNow(): OutageCause | undefined {
    return this.isOn ? this.latest : undefined;
  }

  protected override get words(): OutageWords {
    return this.latest === 'disk_full' ? NO_ROOM : NOT_RESPONDING;
  }

  override get totalFailures(): number {
    return super.totalFailures + this.slowStatements;
  }

  /** @returns Whether the failure is part of an outage. */
  override fail(cause: unknown, beganAtMs = performance.now()): boolean {
    const kind = outageCauseOf(cause);
    if (kind === 'slow' && this.isSlowStatement(beganAtMs)) {
      this.slowStatements += 1;
      return false;
    }
    this.latest = kind;
    super.fail(cause);
    return true;
  }

  override succeed(): void {
    this.timeouts = 0;
    this.succeededAtMs = performance.now();
    if (this.isOn) super.succeed();
  }

  /**
   * Ends an outage, but does not reset the count of timeouts: on SQLite, a read needs no lock and proves nothing about
   * writes.
   */
  succeedToRead(): void {
    super.succeed();
  }

  private isSlowStatement(beganAtMs: number): boolean {
    if (this.succeededAtMs > beganAtMs) return true;
    this.timeouts += 1;
    return !this.isOn && this.timeouts < TIMEOUTS_OF_OUTAGE;
  }
}
