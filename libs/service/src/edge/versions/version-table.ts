import type { ReleasedVersion } from '@items/conventions';

/** The facts of a version, from its row and the one after it. */
export interface VersionFacts extends ReleasedVersion {
  /** The day of its successor's release; undefined of the current version. */
  readonly deprecatedSince: string | undefined;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
/** How long a version lives after its successor's release, and how long before its end that is announced. SPEC §9 */
const MONTHS = { afterSuccessor: 24, beforeEnd: 12 };

/** The versions of a service, from which headers and refusals follow. SPEC §9 */
export class VersionTable {
  readonly current: string;
  private readonly facts: ReadonlyMap<string, VersionFacts>;

  /**
   * @param rows oldest first, the current version last.
   * @throws {Error} a row breaks a rule of §9: its message says which, and what to write.
   */
  constructor(rows: readonly ReleasedVersion[]) {
    this.facts = new Map(
      rows.map((row, index) => [row.version, { ...row, deprecatedSince: rows[index + 1]?.version }]),
    );
    this.current = rows.at(-1)?.version ?? '';
    const fault = [...this.facts.values()].map(faultOf).find((each) => each !== undefined);
    if (rows.length === 0 || this.facts.size < rows.length) throw new Error('The table must name versions, each once.');
    if (fault !== undefined) throw new Error(fault);
  }

  /** All of them, oldest first; those that have ended, too. */
  get all(): readonly VersionFacts[] {
    return [...this.facts.values()];
  }

  /** @returns undefined for a version that never was. */
  of(version: string): VersionFacts | undefined {
    return this.facts.get(version);
  }

  /** What may be asked for, the current one first. @param nowMs since 1970. */
  supportedAt(nowMs: number): readonly string[] {
    return this.all.flatMap((facts) => (hasEnded(facts, nowMs) ? [] : facts.version)).reverse();
  }
}

/** @param nowMs since 1970. */
export function hasEnded({ end }: ReleasedVersion, nowMs: number): boolean {
  return end !== undefined && nowMs >= startOf(end.on);
}

/** Midnight UTC of a day, in milliseconds since 1970. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

function faultOf({ version, end, deprecatedSince }: VersionFacts): string | undefined {
  const days = [version, deprecatedSince ?? version, end?.announced ?? version, end?.on ?? version];
  const odd = days.find((day) => !DAY.test(day) || !isOfCalendar(day));
  if (odd !== undefined) return `"${odd}" in the table of versions is not a day: write YYYY-MM-DD.`;
  if (deprecatedSince !== undefined && deprecatedSince <= version) {
    return `Version ${version} stands before ${deprecatedSince}: write the table oldest first.`;
  }
  if (end === undefined) return undefined;
  if (deprecatedSince === undefined) return `Version ${version} is the current one and cannot end.`;
  const earliest = [
    monthsAfter(deprecatedSince, MONTHS.afterSuccessor),
    monthsAfter(end.announced, MONTHS.beforeEnd),
  ].sort();
  const least = earliest.at(-1) ?? '';
  return end.on < least ? `Version ${version} ends too early: on ${least} or later. SPEC §9` : undefined;
}

function isOfCalendar(day: string): boolean {
  const start = new Date(startOf(day));
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day);
}

/** The same day of a later month, or the first of the next one where that month has no such day. */
function monthsAfter(day: string, months: number): string {
  const date = new Date(startOf(day));
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}
