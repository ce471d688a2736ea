import type { RunningApp } from '@items/testing';

/** Returns the written lines of a service's log; the last fifth of a second is written at its end. */
export function linesOf(app: Pick<RunningApp, 'process'>): Record<string, unknown>[] {
  return app.process
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
