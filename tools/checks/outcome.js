/**
 * The result of one check of `npm test` or `npm run check`.
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {readonly string[]} notes reasons for skipped tests, and other lines for the summary.
 */

/**
 * @typedef {object} Check
 * @property {string} name for `npm test -- <name>`.
 * @property {string} title
 * @property {boolean} [isLong] too slow for every change: runs in `npm run check`, but not in `npm test`.
 * @property {boolean} [isQuick] runs in `npm test -- --quick`, for use during development.
 * @property {boolean} [isPart] depends on other checks, so it runs only if it is named together with them.
 * @property {boolean} [mayRunBeside] may run concurrently with another such check: it uses one processor and does not
 * depend on timing.
 * @property {() => Promise<Outcome>} run
 */

/** @type {Outcome} */
export const passedOnce = { passed: 1, failed: 0, skipped: 0, notes: [] };

/** @type {Outcome} */
export const failedOnce = { passed: 0, failed: 1, skipped: 0, notes: [] };

/** @param {string} why @returns {Outcome} */
export function skippedOnce(why) {
  return { passed: 0, failed: 0, skipped: 1, notes: [why] };
}
