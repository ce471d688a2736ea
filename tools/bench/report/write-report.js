import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { markdownOf } from './markdown.js';
import { connectionsPlot, ratioPlot } from './plots.js';
import { conditionsOf } from './run.js';

/** Number of connections for rows that are measured only once. */
export const USUAL_CONNECTIONS = 32;

/**
 * Writes all results as JSON, a table for the documentation, and plots.
 * @param {import('./run.js').Run} run
 * @param {string} folder
 * @returns {string[]} the paths of the files.
 */
export function writeReport(run, folder) {
  const name = `node-${run.node.split('.')[0]}`;
  const note = `Node ${run.node}, ${run.date}, ${run.machine}${run.loadBefore > 0.5 ? ', beside other work' : ''}`;
  const connections = run.rows.some((row) => row.connections === USUAL_CONNECTIONS)
    ? USUAL_CONNECTIONS
    : (run.rows[0]?.connections ?? USUAL_CONNECTIONS);
  /** @type {Record<string, string>} */
  const files = {
    [`${name}.json`]: `${JSON.stringify(run, shortNumbers, 1)}\n`,
    [`${name}.md`]: `# Benchmark on Node ${run.node.split('.')[0]}\n\n${markdownOf(run, connections)}`,
  };
  if (run.rows.some((row) => row.aim !== undefined && row.connections === connections)) {
    files[`${name}-ratios.svg`] = ratioPlot(run, connections, note);
  }
  for (const row of new Set(run.rows.map((one) => one.name))) {
    const rows = run.rows.filter((one) => one.name === row);
    if (rows.length < 2) continue;
    files[`${name}-${row}.svg`] = connectionsPlot(
      rows,
      { what: 'requests a second', of: (result) => result.requestsPerSecond.median },
      note,
    );
    files[`${name}-${row}-p99.svg`] = connectionsPlot(
      rows,
      { what: 'p99 at half of that, ms', of: (result) => result.p99Ms },
      note,
    );
  }
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  console.log(`\n${conditionsOf(run)}.`);
  return Object.keys(files).map((file) => join(folder, file));
}

/** @param {string} _key @param {unknown} value */
function shortNumbers(_key, value) {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}
