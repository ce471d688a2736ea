/**
 * What one check of `npm test` or `npm run check` came to.
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {readonly string[]} notes why something was skipped, and what else belongs under the summary.
 */

/**
 * One check: a name, and what it does.
 * @typedef {object} Check
 * @property {string} name as `npm test -- <name>` selects it.
 * @property {string} title
 * @property {boolean} [isLong] too long for every change: `npm run check` runs it, not `npm test`.
 * @property {boolean} [isQuick] what `npm test -- --quick` runs while a line is changed.
 * @property {boolean} [isPart] it needs the tests that it is named together with, so it runs only where it is named.
 * @property {boolean} [mayRunBeside] it leaves a processor idle, for another of its kind, and no test of it is about time.
 * @property {() => Promise<Outcome>} run
 */

/** @type {Outcome} */
export const passedOnce = { passed: 1, failed: 0, skipped: 0, notes: [] };

/** @type {Outcome} */
export const failedOnce = { passed: 0, failed: 1, skipped: 0, notes: [] };

/** @returns {Outcome} */
export function skippedOnce(/** @type {string} */ why) {
  return { passed: 0, failed: 0, skipped: 1, notes: [why] };
}
