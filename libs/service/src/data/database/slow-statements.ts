import type { StoreLog } from '../outages/store-log.js';
import type { DatabaseObserver } from './database-observer.js';

/** Is called for each statement that has taken so long, well or not. */
export interface StatementListener {
  /** Milliseconds; 0 for all statements. */
  readonly fromMs: number;
  /** @param beganAtMs on the clock of `performance`. */
  readonly onStatement: (sql: string, beganAtMs: number) => void;
}

/** Who is called for statements. */
export interface Watching {
  /** Milliseconds; no statement is slow where it is left out. */
  readonly slowMs?: number | undefined;
  readonly observer?: DatabaseObserver | undefined;
}

/** The listener of statements: of all where there is an observer, else of those for the log. Undefined where there is neither. */
export function listenerOf(log: StoreLog, { slowMs, observer }: Watching): StatementListener | undefined {
  const slow = slowMs === undefined ? undefined : { fromMs: slowMs, onStatement: slowStatements(log, slowMs) };
  if (observer === undefined) return slow;
  return {
    fromMs: 0,
    onStatement: (sql, beganAtMs) => {
      slow?.onStatement(sql, beganAtMs);
      observer.onStatement(sql, beganAtMs);
    },
  };
}

/** A warning for each statement that took long: its text, never its parameters. */
function slowStatements(log: StoreLog, slowMs: number): StatementListener['onStatement'] {
  return (sql, beganAtMs) => {
    const durationMs = performance.now() - beganAtMs;
    if (durationMs < slowMs) return;
    log.warn({ duration_ms: Math.round(durationMs), sql: sql.replace(/\s+/g, ' ').slice(0, 2000) }, 'slow statement');
  };
}
