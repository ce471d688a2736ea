import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of docs/metrics.md. */
export interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  /** What it is served with; empty: always. */
  readonly where: string;
}

/** Of all tables of docs/metrics.md. */
export const documentedMetrics: readonly DocumentedMetric[] = readFileSync(
  join(__dirname, '../../../../docs/metrics.md'),
  'utf8',
)
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, name = '']) => /^`\w+`$/.test(name))
  .map(([, name = '', type = '', labels = '', where = '']): DocumentedMetric => {
    const names = [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label);
    return { name: name.slice(1, -1), type, labels: names, where };
  });
