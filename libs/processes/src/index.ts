export { Ending, type EndingOptions, type EndingPlan } from './ending.js';
export { failStart, listening, type StartOptions } from './fail-start.js';
export type { ProcessLog } from './process-log.js';
export { RestartDelay } from './restart-delay.js';
export { superviseWorkers, tellSupervisor } from './supervise-workers.js';
