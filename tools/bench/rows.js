import { credentials } from './rows/credentials.js';
import { reads } from './rows/reads.js';
import { refusals } from './rows/refusals.js';
import { writes } from './rows/writes.js';

/**
 * A row of the benchmark: what is measured side by side.
 * @typedef {object} Row
 * @property {string} name by which `--rows` asks for it.
 * @property {string} title
 * @property {boolean} [everywhere] measured at every number of connections, and not at 32 alone.
 * @property {number} [aim] of the service's ratio to the first of its contestants.
 * @property {number} [warmUp] requests before the first that is measured.
 * @property {(systems: import('./systems/systems.js').Systems) => Promise<import('./measure.js').Contestant[]>} contestants
 * the first is what the others are compared with.
 */

/** By this name `--rows` asks for the purge of events, which is measured without requests. */
export const PURGE = 'purge';

/** @type {readonly Row[]} */
export const rows = [
  ...reads('sqlite'),
  ...refusals,
  ...credentials,
  ...writes('sqlite'),
  ...reads('postgres'),
  ...writes('postgres'),
];

/** @param {string} name @throws {Error} which names there are, where it is none of them. */
export function rowNamed(name) {
  const row = rows.find((one) => one.name === name);
  if (row === undefined)
    throw new Error(`There is no row ${name}; there are ${[...rows.map((one) => one.name), PURGE].join(', ')}.`);
  return row;
}
