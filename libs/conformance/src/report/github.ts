import { type Judgement, type Result } from '../judgement.js';
import { countsOf, sectionsOf, verdictOf } from './sections.js';

/** Lines that a workflow of GitHub shows at the run: an error for each failure, a notice for each known one. */
export function githubLines({ checks }: Judgement): string {
  return checks.map(line).join('');
}

function line({ id, section, sentence, status, reason = '', failure }: Result): string {
  const title = property(`${section} ${id}`);
  const what = failure === undefined ? reason : `expected ${failure.expected}; came ${failure.came}\n${failure.curl}`;
  if (status === 'failed' || status === 'fixed') return `::error title=${title}::${data(`${sentence}\n${what}`)}\n`;
  return status === 'known' ? `::notice title=${title}::${data(`Known: ${sentence}\n${what}`)}\n` : '';
}

/** The step's summary: a table between fences, so that nothing that came is read as markup. */
export function githubSummary(judgement: Judgement): string {
  const sections = sectionsOf(judgement).map((one) => [one.name, one.title, countsOf(one.checks)]);
  const found = judgement.checks
    .filter(({ status }) => ['failed', 'fixed', 'known'].includes(status))
    .map(({ id, status, sentence }) => [status, id, sentence]);
  const body = [...table(sections), ...(found.length > 0 ? ['', ...table(found)] : []), '', verdictOf(judgement)];
  const fence = '`'.repeat(Math.max(3, longestRun(body.join('\n')) + 1));
  return [`${fence}text`, ...body, fence, ''].join('\n');
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
