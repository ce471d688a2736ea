import { availableParallelism, loadavg } from 'node:os';

/** Time in milliseconds that a busy machine may add to a deadline. It grows with the load, as the time-outs of tests do. */
export const BUSY_MS = 1500 * Math.max(1, Math.ceil((loadavg()[0] ?? 0) / availableParallelism()));
