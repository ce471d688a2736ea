// Evaluate @nestjs/core first: @nestjs/throttler, a CommonJS package, requires it, and on Node 22 would otherwise get
// exports that are not initialised yet.
import '@nestjs/core';

export { type FailureWindows, MemoryFailureWindows, RedisFailureWindows } from './failure-windows.js';
export { MemoryThrottlerStorage } from './memory-throttler-storage.js';
export { QuotaGuard } from './quota.guard.js';
export { Quota } from './quota.js';
export type { QuotaHolder, QuotaState } from './quota.js';
export { quotaOptions } from './quota-options.js';
export { RedisLink } from './redis-link.js';
export type { RedisLinkOptions } from './redis-link.js';
export { RedisThrottlerStorage } from './redis-throttler-storage.js';
export { routeQuotaOf, ThrottleOptionsError } from './route-quota.js';
export type { RouteQuota } from './route-quota.js';
