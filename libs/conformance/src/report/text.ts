import { type Judgement, type Result } from '../run.js';
import { countsOf, sectionsOf } from './sections.js';

/** A screen: what does not fit is shortened, so that each failure is still named. */
export const screenLines = 60;
const width = 160;

/** The judgement for a terminal, at most `screenLines` lines. */
export function textReport(judgement: Judgement): string {
  const { url, profile, checks, notes, seconds } = judgement;
  const failed = checks.filter(({ status }) => status === 'failed');
  const head = [
    `${url}, profile ${profile}: ${checks.length} checks in ${seconds.toFixed(1)} s`,
    ...sectionsOf(judgement).map((one) => `  ${one.name} ${one.title.padEnd(28)} ${countsOf(one.checks)}`),
    ...notApplicable(checks),
    ...notes.map((note) => `NOTE ${note}`),
  ].map(cut);
  const verdict = failed.length === 0 ? 'Conformant: 0 failed.' : `Not conformant: ${failed.length} failed.`;
  return [...head, ...failures(failed, screenLines - head.length - 2), '', verdict, ''].join('\n');
}

/** The reasons, the most frequent first, each with the checks that it keeps from being asked. */
function notApplicable(checks: readonly Result[]): string[] {
  const ids = new Map<string, string[]>();
  for (const { status, reason = '', id } of checks) {
    if (status === 'not_applicable') ids.set(reason, [...(ids.get(reason) ?? []), id]);
  }
  const rows = [...ids].sort(([, one], [, other]) => other.length - one.length);
  const shown = rows.slice(0, 6).map(([reason, names]) => `  not applicable: ${reason} (${names.join(', ')})`);
  return rows.length > 6 ? [...shown, `  not applicable: ${rows.length - 6} more reasons, see --json`] : shown;
}

/** In full where all of them fit, else each in two lines, else in one. */
function failures(failed: readonly Result[], lines: number): string[] {
  const forms = [inFull, inTwoLines, inOneLine].map((form) => failed.flatMap(form));
  const fitting = forms.find((form) => form.length <= lines);
  if (fitting) return fitting;
  const shown = failed.slice(0, lines - 2).flatMap(inOneLine);
  const rest = failed.slice(lines - 2).map(({ id }) => id);
  return [...shown, cut(`FAILED ${rest.length} more: ${rest.join(', ')}`)];
}

function inFull({ id, section, sentence, level, failure }: Result): string[] {
  const { curl = '', expected = '', came = '' } = failure ?? {};
  return [
    '',
    `FAILED ${id}`,
    `  ${section} "${sentence}" (${level})`,
    `  ${curl}`,
    `  expected ${expected}; came ${came}`,
  ].map(cutLong);
}

function inTwoLines({ id, section, sentence, level, failure }: Result): string[] {
  const { curl = '', expected = '', came = '' } = failure ?? {};
  return [`FAILED ${id} ${section} "${sentence}" (${level})`, `  expected ${expected}; came ${came}; ${curl}`].map(cut);
}

function inOneLine({ id, section, sentence }: Result): string[] {
  return [cut(`FAILED ${id} ${section} "${sentence}"`)];
}

/** A command is cut nowhere, so that it can be copied; only what has no end is. */
function cutLong(line: string): string {
  return line.length > 3 * width ? `${line.slice(0, 3 * width)}…` : line;
}

function cut(line: string): string {
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
