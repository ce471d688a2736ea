import type { Judgement, Result } from '@items/conformance';
import type { ForeignService } from './services.ts';

/** Formats results as a page of the documentation: failed and inapplicable checks, without times and addresses. */
export function markdownReport({ checks, notes, profile }: Judgement, { name, what, naming = {} }: ForeignService) {
  const failed = checks.filter(({ status }) => status === 'failed');
  const lacking = byReason(checks.filter(({ status }) => status === 'not_applicable'));
  const passed = checks.length - failed.length - [...lacking.values()].flat().length;
  const words = Object.keys(naming).length === 0 ? '' : `, named by \`${JSON.stringify(naming)}\``;
  return [
    `# ${name}`,
    '',
    `Profile \`${profile}\` on ${what}${words}: ${passed} passed, ${failed.length} failed, ${checks.length - passed - failed.length} not applicable.`,
    ...notes.map((note) => `\n${note}`),
    '',
    ...(failed.length === 0 ? ['It is conformant.'] : ['## What failed', '', ...failed.flatMap(failure)]),
    '',
    '## What was not asked',
    '',
    ...[...lacking].map(([reason, of]) => `- ${reason}: ${of.map(({ id }) => `\`${id}\``).join(', ')}`),
    '',
  ].join('\n');
}

function failure({ id, section, sentence, failure }: Result) {
  const { method = '', url = '', expected = '', came = '' } = failure ?? {};
  const { pathname = '', search = '' } = URL.canParse(url) ? new URL(url) : {};
  const request = code(`${method} ${pathname}${search}`);
  return [`- **${id}**: ${section} “${sentence}”`, `  ${request}: expected ${code(expected)}; came ${code(came)}`];
}

function code(text: string) {
  return `\`\` ${text.replaceAll('`', "'")} \`\``;
}

function byReason(checks: Result[]) {
  const groups = new Map<string, Result[]>();
  for (const check of checks) {
    const { reason = '' } = check;
    groups.set(reason, [...(groups.get(reason) ?? []), check]);
  }
  return groups;
}
