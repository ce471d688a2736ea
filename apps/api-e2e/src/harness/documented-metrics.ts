import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A metric of docs/metrics.md. Metrics of one type with the same labels may share a row. */
export interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  /** Condition under which the metric is served; empty: always. */
  readonly where: string;
}

const quoted = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);

/** The rows of all tables of docs/metrics.md. */
export const documentedMetrics: readonly DocumentedMetric[] = readFileSync(
  join(__dirname, '../../../../docs/metrics.md'),
  'utf8',
)
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, names = '']) => /^(?:`\w+` ?)+$/.test(names))
  .flatMap(([, names = '', type = '', labels = '', where = '']) =>
    quoted(names).map((name): DocumentedMetric => ({ name, type, labels: quoted(labels), where })),
  );
