import { conditionsOf } from './run.js';

/**
 * Formats a run as a table for the documentation: the reference and the service of each row at one number of
 * connections.
 * @param {import('./run.js').Run} run
 * @param {number} connections
 */
export function markdownOf(run, connections) {
  const lines = [
    `${conditionsOf(run)}. The service has its default settings: events and audit are on.`,
    '',
    '| request | system | requests/s | CPU µs | ratio of CPU (quartiles) | aim | p50 ms | p99 ms | RSS MB |',
    '| --- | --- | --: | --: | --- | --: | --: | --: | --: |',
  ];
  for (const row of run.rows.filter((one) => one.connections === connections)) {
    for (const [index, result] of row.results.entries()) {
      const { median, lower, upper } = result.ratio;
      const ratio = index === 0 ? '' : `${median.toFixed(2)} (${lower.toFixed(2)}–${upper.toFixed(2)})`;
      const aim = index === 0 || row.aim === undefined || result.name === 'usual Nest' ? '' : row.aim.toFixed(2);
      const cells = [
        index === 0 ? row.title : '',
        result.name,
        Math.round(result.requestsPerSecond.median).toLocaleString('en'),
        result.cpuMicros.median.toFixed(1),
        ratio,
        aim,
        result.p50Ms.toFixed(2),
        result.p99Ms.toFixed(2),
        String(Math.round(result.rssMb)),
      ];
      lines.push(`| ${cells.join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}
