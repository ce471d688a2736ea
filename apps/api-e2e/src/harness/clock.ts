import { setImmediate as turn } from 'node:timers/promises';

/** Waits until the clock is later than a time of the service, so that the next write is later. */
export async function untilAfter(time: string): Promise<void> {
  while (Date.now() <= Date.parse(time)) await turn();
}
