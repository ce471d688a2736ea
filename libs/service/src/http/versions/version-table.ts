import type { ReleasedVersion } from '@items/conventions';

export interface VersionFacts extends ReleasedVersion {
  /** Release day of the successor; undefined for the current version. */
  readonly deprecatedSince: string | undefined;
}

/** Minimum months to the end of a version: from its successor's release, and from the announcement. SPEC §9 */
const MONTHS = { afterSuccessor: 24, beforeEnd: 12 };

/**
 * @param rows oldest first, the current version last.
 * @throws {Error} a row breaks a rule of §9; the message names the rule and the correction.
 */
export function versionTable(rows: readonly ReleasedVersion[]): readonly VersionFacts[] {
  const all = rows.map((row, index) => ({ ...row, deprecatedSince: rows[index + 1]?.version }));
  if (new Set(rows.map(({ version }) => version)).size !== Math.max(rows.length, 1))
    throw new Error('The table must name versions, each once.');
  for (const facts of all) requireSound(facts);
  return all;
}

export function hasEnded({ end }: ReleasedVersion, nowMs: number): boolean {
  return end !== undefined && nowMs >= startOf(end.on);
}

/** Returns midnight UTC of a day, in milliseconds since the epoch. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

function requireSound({ version, end, deprecatedSince }: VersionFacts): void {
  const days = [version, deprecatedSince ?? version, end?.announced ?? version, end?.on ?? version];
  const odd = days.find((day) => !isDay(day));
  if (odd !== undefined) throw new Error(`"${odd}" in the table of versions is not a day: write YYYY-MM-DD.`);
  if (deprecatedSince !== undefined && deprecatedSince <= version)
    throw new Error(`Version ${version} is listed before ${deprecatedSince}: write the table oldest first.`);
  if (end === undefined) return;
  if (deprecatedSince === undefined) throw new Error(`Version ${version} is the current one and cannot end.`);
  const ends = [monthsAfter(deprecatedSince, MONTHS.afterSuccessor), monthsAfter(end.announced, MONTHS.beforeEnd)];
  const least = ends.sort().at(-1) ?? '';
  if (end.on < least) throw new Error(`Version ${version} ends too early: on ${least} or later. SPEC §9`);
}

function isDay(day: string): boolean {
  const start = startOf(day);
  return !Number.isNaN(start) && new Date(start).toISOString().slice(0, 10) === day;
}

/** 29 February becomes 1 March if the later year has no such day. */
function monthsAfter(day: string, months: number): string {
  const date = new Date(startOf(day));
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}
