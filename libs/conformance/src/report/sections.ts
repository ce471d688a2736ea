import { type Judgement, type Result } from '../judgement.js';

/** The specification's sections that say something of a service. */
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

export interface Section {
  readonly name: string;
  readonly title: string;
  readonly checks: readonly Result[];
}

export function sectionsOf({ checks }: Judgement): Section[] {
  const names = [...new Set(checks.map(({ section }) => section))];
  return names.map((name) => ({
    name,
    title: titles[name] ?? '',
    checks: checks.filter(({ section }) => section === name),
  }));
}

/** The verdict in a sentence. */
export function verdictOf({ checks, conformant }: Judgement): string {
  const count = (status: string): number => checks.filter((check) => check.status === status).length;
  const known = count('known') > 0 ? `, ${count('known')} known` : '';
  const fixed = count('fixed') > 0 ? `, ${count('fixed')} fixed that stand among the known` : '';
  return `${conformant ? 'Conformant' : 'Not conformant'}: ${count('failed')} failed${known}${fixed}.`;
}

/** `12 passed, 1 failed, 3 not applicable`. */
export function countsOf(checks: readonly Result[]): string {
  const count = (status: string): number => checks.filter((check) => check.status === status).length;
  return (['passed', 'failed', 'known', 'fixed', 'not_applicable'] as const)
    .map((status) => [count(status), status.replace('_', ' ')] as const)
    .filter(([number, status]) => number > 0 || status === 'passed')
    .map(([number, status]) => `${number} ${status}`)
    .join(', ');
}
