import type { ThrottlerStorage } from '@nestjs/throttler';

/** What a storage says of a window; times in whole seconds. */
export type ThrottlerStorageRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * @param totalHits requests in the window, this one included.
 * @param remainingMs until the window ends; shown as at least one second, so that no client returns too early.
 */
export function toRecord(totalHits: number, remainingMs: number, limit: number): ThrottlerStorageRecord {
  const timeToExpire = Math.max(1, Math.ceil(remainingMs / 1000));
  return { totalHits, timeToExpire, isBlocked: totalHits > limit, timeToBlockExpire: timeToExpire };
}
