import type { RunningApp } from '@items/testing';

/** The lines of a service's log, as far as it has written them: the last fifth of a second comes with its end. */
export function linesOf(app: Pick<RunningApp, 'process'>): Record<string, unknown>[] {
  return app.process
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
