/** Counts the outcomes of requests, and records the time of the last failure. */
export class Tally {
  requests = 0;
  longestMs = 0;
  /** @type {Map<string, number>} by status, or by the reason if there was no response. */
  failures = new Map();
  lastFailureMs = Number.NEGATIVE_INFINITY;

  /**
   * @param {import('./client.js').Outcome} outcome
   * @param {readonly number[]} expected accepted statuses.
   * @returns {boolean} whether the status is accepted.
   */
  count({ status, body, reason, ms }, expected) {
    this.requests += 1;
    this.longestMs = Math.max(this.longestMs, ms);
    if (expected.includes(status) && reason === undefined) return true;
    const how = reason ?? `${status} ${body?.code ?? ''}`.trim();
    this.failures.set(how, (this.failures.get(how) ?? 0) + 1);
    this.lastFailureMs = performance.now();
    return false;
  }

  get failed() {
    return [...this.failures.values()].reduce((sum, count) => sum + count, 0);
  }

  /** `12 (503 no_instance: 10, ECONNRESET: 2)` */
  failuresInWords() {
    const kinds = [...this.failures].map(([how, count]) => `${how}: ${count}`);
    return kinds.length === 0 ? '0' : `${this.failed} (${kinds.join(', ')})`;
  }
}
