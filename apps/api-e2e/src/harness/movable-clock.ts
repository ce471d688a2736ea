import { setTimeout as sleep } from 'node:timers/promises';

import type { RunningApp } from '@items/testing';

const WITHIN_MS = 30_000;

/** At each signal, moves the wall clock and monotonic clock of a process a second forward, and prints a line. */
const PRELOADED = `
  let ahead = 0;
  const [date, monotonic] = [Date.now.bind(Date), performance.now.bind(performance)];
  Date.now = () => date() + ahead;
  performance.now = () => monotonic() + ahead;
  process.on('SIGUSR2', () => { ahead += 1000; console.log('The clocks are ' + ahead + ' ms ahead.'); });
`;

/** Environment of a service with movable clocks. Timers do not use these clocks. */
export const movableClock = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(PRELOADED)}` };

/** Moves the clocks of a service that was started with {@link movableClock}. @param seconds a whole number. */
export async function moveClock({ process: service }: RunningApp, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 1) {
    const before = movesOf(service);
    const deadline = performance.now() + WITHIN_MS;
    // Wait for the effect of each signal: two pending signals count as one.
    service.signal('SIGUSR2');
    while (movesOf(service) === before) {
      if (performance.now() > deadline) throw new Error(`The clocks have not moved:\n${service.log()}`);
      await sleep(2);
    }
  }
}

function movesOf(service: RunningApp['process']): number {
  return service.log().split('The clocks are ').length;
}
