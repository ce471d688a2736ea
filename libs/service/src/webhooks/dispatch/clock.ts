export interface Clock {
  now(): number;
  /** Continues while the process is frozen, in milliseconds. */
  monotonic(): number;
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
};
