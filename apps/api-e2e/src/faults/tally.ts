import type { Outcome } from '@items/testing';

/** Counts the outcomes of requests, and records the time of the last failure. */
export class Tally {
  requests = 0;
  longestMs = 0;
  lastFailureMs = Number.NEGATIVE_INFINITY;
  /** Number of failures by status, or by reason if there was no response. */
  readonly failures = new Map<string, number>();

  /**
   * @param expected accepted statuses.
   * @returns whether the status is accepted.
   */
  count({ status, body, reason, ms }: Outcome, expected: readonly number[]): boolean {
    this.requests += 1;
    this.longestMs = Math.max(this.longestMs, ms);
    if (expected.includes(status) && reason === undefined) return true;
    const code = body?.code as string | undefined;
    const how = reason ?? `${status} ${code ?? ''}`.trim();
    this.failures.set(how, (this.failures.get(how) ?? 0) + 1);
    this.lastFailureMs = performance.now();
    return false;
  }

  get failed(): number {
    return [...this.failures.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Formats the failures: `12 (503 no_instance: 10, ECONNRESET: 2)`. */
  failuresInWords(): string {
    const kinds = [...this.failures].map(([how, count]) => `${how}: ${count}`);
    return kinds.length === 0 ? '0' : `${this.failed} (${kinds.join(', ')})`;
  }
}
