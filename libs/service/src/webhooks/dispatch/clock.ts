/** Time and chance, as the dispatcher asks for them; tests have their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since some moment; never goes back, and goes on while the process is frozen. */
  monotonic(): number;
  /** From 0 to below 1. */
  random(): number;
}

/** Those of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
};
