import { type Judgement, type Result } from '../judgement.js';
import { countOf, pagingLine, sectionsOf, summaryLine, verdictOf } from './sections.js';

/**
 * Lines for a GitHub workflow: the summary, an error for each failure and for each known failure that now passes, a
 * notice for each other known failure.
 */
export function githubLines(judgement: Judgement): string {
  const title = property('Items conformance');
  return `::notice title=${title}::${data(summaryLine(judgement))}\n${judgement.checks.map(line).join('')}`;
}

function line({ id, section, sentence, status, reason = '', failure }: Result): string {
  const title = property(`${section} ${id}`);
  const what = failure === undefined ? reason : `expected ${failure.expected}; came ${failure.came}\n${failure.curl}`;
  if (status === 'failed' || status === 'fixed') return `::error title=${title}::${data(`${sentence}\n${what}`)}\n`;
  return status === 'known' ? `::notice title=${title}::${data(`Known: ${sentence}\n${what}`)}\n` : '';
}

export function githubSummary(judgement: Judgement): string {
  const { url, checks, notes } = judgement;
  const found = checks.filter(({ status }) => ['failed', 'fixed', 'known'].includes(status));
  const statuses = ['passed', 'failed', 'known', 'fixed', 'not_applicable'] as const;
  const sections = [...sectionsOf(judgement), { name: 'All', title: '', checks }];
  return [
    `### Conformance of ${plain(url)}`,
    '',
    `${verdictOf(judgement)} ${pagingLine(judgement)}.`,
    '',
    row(['Section', ...statuses.map((status) => status.replace('_', ' '))]),
    row(['---', ...statuses.map(() => '---:')]),
    ...sections.map((one) =>
      row([plain(`${one.name} ${one.title}`.trim()), ...statuses.map((status) => String(countOf(one.checks, status)))]),
    ),
    '',
    ...(found.length === 0 ? [] : [...table(found), '']),
    ...notes.map((note) => `- ${plain(note)}`),
    ...(notes.length === 0 ? [] : ['']),
  ].join('\n');
}

function table(found: readonly Result[]): string[] {
  return [
    row(['Status', 'Check', 'Sentence', 'Expected', 'Came']),
    row(['---', '---', '---', '---', '---']),
    ...found.map(({ status, id, sentence, failure, reason = '' }) =>
      row([
        status,
        id,
        sentence.replaceAll('|', '&#124;'),
        ...[failure?.expected ?? '', failure?.came ?? reason].map(plain),
      ]),
    ),
  ];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Escapes characters that Markdown or HTML could read as markup. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[&<>|`*~@#\\[\]{}$]|\b_|_\b|(?<=https?):/g, (character) => `&#${character.charCodeAt(0)};`);
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
