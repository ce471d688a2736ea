import { credentials } from './rows/credentials.js';
import { reads } from './rows/reads.js';
import { refusals } from './rows/refusals.js';
import { writes } from './rows/writes.js';

/**
 * A row of the benchmark: a comparison of several systems.
 * @typedef {object} Row
 * @property {string} name for `--rows`.
 * @property {string} title
 * @property {boolean} [everywhere] measured at every number of connections, not only at 32.
 * @property {number} [aim] for the ratio of the service to the first contestant.
 * @property {number} [warmUp] requests before the measurement.
 * @property {(systems: import('./systems/systems.js').Systems) => Promise<import('./measure.js').Contestant[]>}
 * contestants
 * the first is the reference.
 */

/** Name for `--rows` of the event purge, which is measured without requests. */
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

/** @param {string} name @throws {Error} that lists all names, if the name is unknown. */
export function rowNamed(name) {
  const row = rows.find((one) => one.name === name);
  if (row === undefined)
    throw new Error(`There is no row ${name}; there are ${[...rows.map((one) => one.name), PURGE].join(', ')}.`);
  return row;
}
