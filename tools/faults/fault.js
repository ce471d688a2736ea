/**
 * @typedef {object} Fault
 * @property {string} name for `--only`.
 * @property {string} title
 * @property {() => Promise<Result>} run
 */

/**
 * @typedef {object} Result
 * @property {string} figure the measured figures, in words.
 * @property {readonly string[]} problems expectations that failed.
 */

/**
 * Maximum effects of a fault.
 * @typedef {object} Limits
 * @property {number} [failed] number of failed requests.
 * @property {{ since: number, within: number }} [back] requests may fail for `within` milliseconds after `since`.
 * @property {number} [longestMs] longest latency.
 */

/**
 * Checks the findings of a load. Acknowledged writes must exist and walks must be exact, regardless of the limits.
 * @param {import('./load.js').Findings} findings @param {Limits} limits @param {string} [more] figures of the fault's own.
 * @returns {Result}
 */
export function judge(findings, { failed, back, longestMs }, more) {
  const { requests, acknowledged, walks, faults, failures } = findings;
  const problems = [...faults.slice(0, 5)];
  const figures = [`${acknowledged} writes acknowledged, ${walks} walks`, `failed ${failures} of ${requests}`];
  if (acknowledged === 0) problems.push('nothing was written');
  if (walks === 0) problems.push('no walk came to its end');
  if (failed !== undefined && findings.failed > failed) problems.push(`${findings.failed} requests failed`);
  if (back !== undefined) {
    const tookMs = Math.max(0, findings.lastFailureMs - back.since);
    figures.push(`back after ${seconds(tookMs)}`);
    if (tookMs > back.within) problems.push(`back only after ${seconds(tookMs)}, not within ${seconds(back.within)}`);
  }
  if (longestMs !== undefined) {
    figures.push(`longest request ${seconds(findings.longestMs)}`);
    if (findings.longestMs > longestMs) problems.push(`a request took ${seconds(findings.longestMs)}`);
  }
  if (more !== undefined) figures.push(more);
  return { figure: figures.join('; '), problems };
}

/** @param {number} ms */
export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
