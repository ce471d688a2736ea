import { type Judgement, type Result } from '../judgement.js';
import { countsOf, pagingLine, sectionsOf, summaryLine, verdictOf } from './sections.js';
import { wrapped, wrappedCommand } from './wrap.js';

/** Maximum lines of a report on a terminal. Failures are shortened, so that each is named. */
const screenLines = 60;
const leastColumns = 40;

export interface TextOptions {
  /**
   * Width of the terminal. It limits each line and, where possible, the report to `screenLines` lines. Undefined: no
   * limits.
   */
  readonly columns?: number | undefined;
}

export function textReport(judgement: Judgement, { columns }: TextOptions = {}): string {
  const width = columns === undefined ? undefined : Math.max(columns, leastColumns);
  const { url, profile, checks, notes, seconds } = judgement;
  const first = [pagingLine(judgement), verdictOf(judgement)];
  const head = [
    `${url}, profile ${profile}: ${checks.length} checks in ${seconds.toFixed(1)} s`,
    ...sectionsOf(judgement).map((one) => `  ${one.name} ${one.title.padEnd(28)} ${countsOf(one.checks)}`),
    ...notApplicable(checks, width !== undefined),
    ...checks.flatMap(known),
  ];
  const failed = checks.filter(({ status }) => status === 'failed');
  const noted = notes.map((note) => `NOTE ${note}`);
  if (width === undefined) {
    return [...first, ...head, ...noted, ...failed.flatMap(inFull), '', summaryLine(judgement), ''].join('\n');
  }
  const fit = (lines: readonly string[]): string[] => lines.flatMap((line) => wrapped(line, width, ''));
  const above = [...fit(first), ...head.map((line) => cut(line, width)), ...fit(noted)];
  const below = ['', ...fit([summaryLine(judgement)]), ''];
  return [...above, ...failures(failed, screenLines - above.length - below.length, width), ...below].join('\n');
}

function known({ id, status, section, sentence }: Result): string[] {
  return status === 'known' || status === 'fixed' ? [`${status.toUpperCase()} ${id} ${section} "${sentence}"`] : [];
}

/** Lists reasons, the most frequent first, with the checks that were skipped. */
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

/** Shows failures in full if all fit, else in two lines each, else in one line each. */
function failures(failed: readonly Result[], lines: number, width: number): string[] {
  const forms = [inFullOnScreen, inTwoLines, inOneLine].map((form) => failed.flatMap((one) => form(one, width)));
  const fitting = forms.find((form) => form.length <= lines);
  if (fitting) return fitting;
  const shown = failed.slice(0, lines - 2).flatMap((one) => inOneLine(one, width));
  const rest = failed.slice(lines - 2).map(({ id }) => id);
  return [...shown, cut(`FAILED ${rest.length} more: ${rest.join(', ')}`, width)];
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

/** Wraps commands, so that they can be copied. curl.ts shortens only bodies of more than 4000 characters. */
function inFullOnScreen({ id, section, sentence, level, failure }: Result, width: number): string[] {
  const { parts = [], expected = '', came = '' } = failure ?? {};
  return [
    '',
    cut(`FAILED ${id}`, width),
    ...wrapped(`${section} "${sentence}" (${level})`, width),
    ...wrappedCommand(parts, width),
    ...wrapped(`expected ${expected}; came ${came}`, width),
  ];
}

function inTwoLines({ id, section, sentence, level, failure }: Result, width: number): string[] {
  const { curl = '', expected = '', came = '' } = failure ?? {};
  const lines = [`FAILED ${id} ${section} "${sentence}" (${level})`, `  expected ${expected}; came ${came}; ${curl}`];
  return lines.map((line) => cut(line, width));
}

function inOneLine({ id, section, sentence }: Result, width: number): string[] {
  return [cut(`FAILED ${id} ${section} "${sentence}"`, width)];
}

function cut(line: string, width: number): string {
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
