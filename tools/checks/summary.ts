import type { Outcome } from './outcome.ts';

export interface Row {
  title: string;
  seconds: number;
  outcome: Outcome;
}

/** Formats the final table, the notes, and the totals as the last line. */
export function summary(rows: readonly Row[], notes: readonly string[]) {
  const width = Math.max(...rows.map(({ title }) => title.length));
  const line = (title: string, ...cells: (string | number)[]) =>
    [title.padEnd(width), ...cells.map((cell) => String(cell).padStart(8))].join(' ');
  const table = rows.map(({ title, seconds, outcome }) =>
    line(title, outcome.passed, outcome.failed, outcome.skipped, `${seconds.toFixed(1)} s`),
  );
  const remarks = [...notes, ...rows.flatMap(({ title, outcome }) => outcome.notes.map((note) => `${title}: ${note}`))];
  return [line('', 'passed', 'failed', 'skipped', 'time'), ...table, '', ...remarks, '', totals(rows)].join('\n');
}

export function totals(rows: readonly Row[]): string {
  const sum = (what: 'passed' | 'failed' | 'skipped') => rows.reduce((total, { outcome }) => total + outcome[what], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`;
}
