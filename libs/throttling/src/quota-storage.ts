import type { MaybePromise } from '@items/conventions';
import type { ThrottlerStorage } from '@nestjs/throttler';

/** State of a window in a storage; times in whole seconds. */
export type ThrottlerStorageRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

export interface WindowHit {
  readonly key: string;
  readonly windowMs: number;
  readonly limit: number;
  readonly quota: string;
}

export interface QuotaStorage extends ThrottlerStorage {
  /**
   * Counts a request in each window, in order, and stops after the first whose limit it exceeds, so that a refused
   * request uses nothing of the next quota. Synchronous if counted in memory.
   * @returns a record for each window in which the request was counted.
   */
  hitAll(hits: readonly WindowHit[]): MaybePromise<readonly ThrottlerStorageRecord[]>;
  /** Subtracts a request from each window that is still open. Synchronous if counted in memory. */
  undoAll(hits: readonly WindowHit[]): MaybePromise<void>;
}
