import { type Judgement, type Result } from '../judgement.js';
import { countsOf, sectionsOf, verdictOf } from './sections.js';

/** A screen: what does not fit is shortened, so that each failure is still named. */
export const screenLines = 60;
const width = 160;

/** How a text is to be shown. */
export interface TextOptions {
  /** At most `screenLines` lines, each within the width of a screen; else all of it, with whole commands. */
  readonly isTerminal?: boolean;
}

/** The judgement as text. */
export function textReport(judgement: Judgement, { isTerminal = false }: TextOptions = {}): string {
  const { url, profile, checks, notes, seconds } = judgement;
  const head = [
    `${url}, profile ${profile}: ${checks.length} checks in ${seconds.toFixed(1)} s`,
    ...sectionsOf(judgement).map((one) => `  ${one.name} ${one.title.padEnd(28)} ${countsOf(one.checks)}`),
    ...notApplicable(checks, isTerminal),
    ...notes.map((note) => `NOTE ${note}`),
    ...checks.flatMap(known),
  ];
  const failed = checks.filter(({ status }) => status === 'failed');
  const shown = isTerminal
    ? [...head.map(cut), ...failures(failed, screenLines - head.length - 2)]
    : [...head, ...failed.flatMap(inFull)];
  return [...shown, '', verdictOf(judgement), ''].join('\n');
}

function known({ id, status, section, sentence }: Result): string[] {
  return status === 'known' || status === 'fixed' ? [`${status.toUpperCase()} ${id} ${section} "${sentence}"`] : [];
}

/** The reasons, the most frequent first, each with the checks that it keeps from being asked. */
function notApplicable(checks: readonly Result[], isTerminal: boolean): string[] {
  const ids = new Map<string, string[]>();
  for (const { status, reason = '', id } of checks) {
    if (status === 'not_applicable') ids.set(reason, [...(ids.get(reason) ?? []), id]);
  }
  const rows = [...ids].sort(([, one], [, other]) => other.length - one.length);
  const most = isTerminal ? 6 : rows.length;
  const shown = rows.slice(0, most).map(([reason, names]) => `  not applicable: ${reason} (${names.join(', ')})`);
  return rows.length > most ? [...shown, `  not applicable: ${rows.length - most} more reasons, see --json`] : shown;
}

/** In full where all of them fit, else each in two lines, else in one. */
function failures(failed: readonly Result[], lines: number): string[] {
  const forms = [inFullOnScreen, inTwoLines, inOneLine].map((form) => failed.flatMap(form));
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
  ];
}

function inFullOnScreen(result: Result): string[] {
  return inFull(result).map(cutLong);
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
