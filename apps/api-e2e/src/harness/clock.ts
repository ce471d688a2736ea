import { setImmediate as turn } from 'node:timers/promises';

/** Until the clock shows a later millisecond than a time that the service gave: what is written next is later. */
export async function untilAfter(time: string): Promise<void> {
  while (Date.now() <= Date.parse(time)) await turn();
}
