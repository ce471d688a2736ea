import type { StoreLog } from '../outages/store-log.js';
import type { DatabaseObserver } from './database-observer.js';

export interface StatementListener {
  /** Minimum duration of the statements to report. */
  readonly fromMs: number;
  readonly onStatement: (sql: string, beganAtMs: number) => void;
}

export interface Listeners {
  readonly listener?: StatementListener | undefined;
  readonly observer?: DatabaseObserver | undefined;
}

export interface Watching {
  readonly slowMs?: number | undefined;
  readonly observer?: DatabaseObserver | undefined;
}

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

export function notifyListener(listener: StatementListener | undefined, sql: string, beganAtMs: number): void {
  if (listener !== undefined && performance.now() - beganAtMs >= listener.fromMs) listener.onStatement(sql, beganAtMs);
}

/** Never logs the parameters of a statement. */
function slowStatements(log: StoreLog, slowMs: number): StatementListener['onStatement'] {
  return (sql, beganAtMs) => {
    const durationMs = performance.now() - beganAtMs;
    if (durationMs < slowMs) return;
    log.warn({ duration_ms: Math.round(durationMs), sql: sql.replace(/\s+/g, ' ').slice(0, 2000) }, 'slow statement');
  };
}
