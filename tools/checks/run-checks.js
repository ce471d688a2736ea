import { inPairs } from '../workspace/in-pairs.js';

/** @typedef {import('./outcome.js').Check} Check */
/** @typedef {import('./summary.js').Row} Row */

/**
 * Runs checks in order. Neighbours that may run concurrently run two at a time.
 * @param {readonly Check[]} checks
 * @param {(line: string) => void} [say]
 * @returns {Promise<Row[]>} in the order of the checks.
 */
export async function runChecks(checks, say = console.log) {
  const rows = [];
  const place = (/** @type {Check} */ check) => `${checks.indexOf(check) + 1} of ${checks.length}`;
  for (const group of grouped(checks))
    rows.push(...(await inPairs(group.map((check) => () => runCheck(check, place(check), say)))));
  return rows;
}

/**
 * @param {Check} check
 * @param {string} place its number among all checks.
 * @param {(line: string) => void} say
 * @returns {Promise<Row>}
 */
async function runCheck({ title, run }, place, say) {
  say(`\n▶ ${place}: ${title}`);
  const started = performance.now();
  const outcome = await run();
  const seconds = (performance.now() - started) / 1000;
  say(`${outcome.failed === 0 ? '✔' : '✘'} ${title} (${seconds.toFixed(1)} s)`);
  return { title, seconds, outcome };
}

/** @param {readonly Check[]} checks @returns {Check[][]} */
function grouped(checks) {
  const groups = [];
  for (const check of checks) {
    const group = groups.at(-1);
    if (check.mayRunBeside && group?.at(-1)?.mayRunBeside) group.push(check);
    else groups.push([check]);
  }
  return groups;
}
