import { type Judgement, type Result } from '../judgement.js';

const titles: Readonly<Record<string, string>> = {
  '§1': 'What the service does',
  '§2': 'Resources and their fields',
  '§3': 'States and transitions',
  '§4': 'Endpoints and lists',
  '§5': 'Authentication',
  '§7': 'Errors',
  '§8': 'Limits',
  '§9': 'Versioning',
  '§http': 'HTTP',
};

/** Names of sections, in the order of the seed specification. */
export const sections = Object.keys(titles);

export interface Section {
  readonly name: string;
  readonly title: string;
  readonly checks: readonly Result[];
}

export function sectionsOf({ checks }: Pick<Judgement, 'checks'>): Section[] {
  const names = [...new Set(checks.map(({ section }) => section))];
  return names.map((name) => ({
    name,
    title: titles[name] ?? '',
    checks: checks.filter(({ section }) => section === name),
  }));
}

export function countOf(checks: readonly Result[], status: Result['status']): number {
  return checks.filter((check) => check.status === status).length;
}

export function pagingLine({ paging }: Judgement): string {
  const { style, listed, rows, walks } = paging;
  return `Paging: ${style === 'cursor' ? `${listed} of ${rows} rows in ${walks} walks` : style}`;
}

export function verdictOf({ checks, conformant }: Judgement): string {
  const known = countOf(checks, 'known') > 0 ? `, ${countOf(checks, 'known')} known` : '';
  const fixed = countOf(checks, 'fixed') > 0 ? `, ${countOf(checks, 'fixed')} fixed, but still listed as known` : '';
  return `${conformant ? 'Conformant' : 'Not conformant'}: ${countOf(checks, 'failed')} failed${known}${fixed}.`;
}

export function summaryLine(judgement: Judgement): string {
  const { url, profile, checks, conformant } = judgement;
  const failed = checks.filter(({ status }) => status === 'failed' || status === 'fixed').map(({ id }) => id);
  const named = failed.length === 0 ? '' : ` (${failed.slice(0, 3).join(', ')}${failed.length > 3 ? ' …' : ''})`;
  const verdict = `${conformant ? 'conformant' : 'not conformant'}${named}`;
  return `${url} is ${verdict}: profile ${profile}, ${countsOf(checks)}. ${pagingLine(judgement)}.`;
}

/** `12 passed, 1 failed, 3 not applicable`. */
export function countsOf(checks: readonly Result[]): string {
  return (['passed', 'failed', 'known', 'fixed', 'not_applicable'] as const)
    .map((status) => [countOf(checks, status), status.replace('_', ' ')] as const)
    .filter(([number, status]) => number > 0 || status === 'passed')
    .map(([number, status]) => `${number} ${status}`)
    .join(', ');
}
