import { cpus, loadavg } from 'node:os';

import { isPinned } from '../pin.js';

/** @typedef {{ name: string, title: string, connections: number, aim?: number, results: import('../measure.js').Result[] }} MeasuredRow */

/**
 * One run of the benchmark, as in its JSON file.
 * @typedef {object} Run
 * @property {string} node version of the servers.
 * @property {string} date
 * @property {string} machine
 * @property {boolean} pinned whether server and load generator had a core each.
 * @property {number} loadBefore load of the machine before the benchmark started.
 * @property {{ rounds: number, seconds: number, items: number }} effort
 * @property {MeasuredRow[]} rows
 */

/** @param {string} node @param {Run['effort']} effort @returns {Run} a run that starts now. */
export function beginRun(node, effort) {
  const processors = cpus();
  return {
    node,
    date: new Date().toISOString().slice(0, 10),
    machine: `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}`,
    pinned: isPinned,
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
    effort,
    rows: [],
  };
}

/** Describes the conditions of a run, for readers of its figures. @param {Run} run */
export function conditionsOf({ node, date, machine, pinned, loadBefore, effort }) {
  const busy = loadBefore > 0.5 ? `; other work ran beside it (load ${loadBefore}), so only ratios count` : '';
  return (
    `Node ${node}, ${date}, ${machine}, ${effort.items.toLocaleString('en')} items, ${effort.rounds} rounds of ` +
    `${effort.seconds} s, ${pinned ? 'the server on one core, the load on another' : 'no cores pinned'}${busy}`
  );
}
