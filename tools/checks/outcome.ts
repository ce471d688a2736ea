export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  /** Reasons for skipped tests, and other lines for the summary. */
  notes: readonly string[];
  /** Runs the failed files again. Called when no other check is running. */
  again?: () => Promise<Outcome>;
}

export interface Check {
  name: string;
  title: string;
  /** The check is too slow for every change. It runs in `npm run check`, but not in `npm test`. */
  isLong?: boolean;
  /** The check runs in `npm test -- --quick`. */
  isQuick?: boolean;
  /** The check repeats or slows others, so it runs only by name, or with `--quick` if `isQuick`. */
  isPart?: boolean;
  /**
   * True if another such check may run concurrently. This check leaves a processor idle and does not depend on timing.
   */
  mayRunConcurrently?: boolean;
  run: () => Promise<Outcome>;
}

export const passedOnce: Outcome = { passed: 1, failed: 0, skipped: 0, notes: [] };

export const failedOnce: Outcome = { passed: 0, failed: 1, skipped: 0, notes: [] };

export function skippedOnce(why: string): Outcome {
  return { passed: 0, failed: 0, skipped: 1, notes: [why] };
}
