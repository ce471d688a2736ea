import type { RunningApp } from '@items/testing';

/** Returns a service's log lines. They appear up to 200 ms late, or when it ends. */
export function linesOf(app: Pick<RunningApp, 'process'>): Record<string, unknown>[] {
  return app.process
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
