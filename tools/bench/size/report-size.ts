import type { Dialect } from './tables.ts';

export interface Measured {
  name: string;
  unit: string;
  service: number;
  plain: number;
  http?: number;
}

export interface Result {
  dialect: Dialect;
  rows: number;
  measured: Measured[];
}

/** Formats a Markdown table per database: a line for each measure, a column for each size. */
export function report(results: Result[]) {
  const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
  const dialects = [...new Set(results.map(({ dialect }) => dialect))];
  return dialects
    .map((dialect) => {
      const sizes = results.filter((result) => result.dialect === dialect);
      const head = ['', ...sizes.map(({ rows }) => `${rows.toLocaleString('en')} rows`), 'growth'];
      const lines = (sizes[0]?.measured ?? []).flatMap((_, index) =>
        linesOf(sizes.map(({ measured }) => measured[index] as Measured)),
      );
      const rule = head.map((_, index) => (index === 0 ? '---' : '--:'));
      return [`### ${names[dialect]}\n`, ...[head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`)].join(
        '\n',
      );
    })
    .join('\n\n');
}

function linesOf(sizes: Measured[]) {
  const [{ name, unit, http } = { name: '', unit: '', http: undefined }] = sizes;
  const line = (label: string, of: (m: Measured) => number | undefined) => {
    const values = sizes.map((measured) => of(measured) ?? NaN);
    return [label, ...values.map(rounded), `${((values.at(-1) ?? NaN) / (values[0] ?? NaN)).toFixed(2)}×`];
  };
  if (unit === '/s') {
    return [
      line(name, ({ service }) => service),
      line('– plain table', ({ plain }) => plain),
      ['– ratio', ...sizes.map(({ service, plain }) => (service / plain).toFixed(2)), ''],
    ];
  }
  return [
    line(`${name}, ${unit}`, ({ service }) => service),
    ...(http === undefined ? [] : [line('– over HTTP', (measured) => measured.http)]),
    line('– plain SQL', ({ plain }) => plain),
  ];
}

function rounded(value: number) {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
}
