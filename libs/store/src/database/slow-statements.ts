import type { StoreLog } from '../outages/store-log.js';

/** Told of each statement when it has ended, well or not: its text, and when it began on the clock of `performance`. */
export type StatementListener = (sql: string, beganAtMs: number) => void;

/** A warning for each statement that took long: its text, never its parameters. */
export function slowStatements(log: StoreLog, slowMs: number): StatementListener {
  return (sql, beganAtMs) => {
    const durationMs = performance.now() - beganAtMs;
    if (durationMs < slowMs) return;
    log.warn({ duration_ms: Math.round(durationMs), sql: sql.replace(/\s+/g, ' ').slice(0, 2000) }, 'slow statement');
  };
}
