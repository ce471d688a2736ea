export type { HealthAnswer } from './health-answer.js';
export { type ReadinessSource, reportReadiness } from './report-readiness.js';
export { serveStart, type StartOptions } from './serve-start.js';
export { type HealthOptions, serveHealth, serveWorkerHealth, type TellHealth } from './serve-health.js';
