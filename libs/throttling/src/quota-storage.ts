import type { MaybePromise } from '@items/conventions';
import type { ThrottlerStorage } from '@nestjs/throttler';

/** The state of a window in a storage; times in whole seconds. */
export type ThrottlerStorageRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** A window in which a request counts. */
export interface WindowHit {
  readonly key: string;
  /** Length of a new window. */
  readonly windowMs: number;
  /** Maximum number of requests in the window. */
  readonly limit: number;
  /** Name of the throttler, as in `increment` of Nest's storages. */
  readonly quota: string;
}

/** A storage of Nest's throttler that counts a request in several windows. */
export interface QuotaStorage extends ThrottlerStorage {
  /**
   * Counts a request in each window, in order, and stops after the first that it exceeds, so that a
   * refused request uses nothing of the next quota. Synchronous in memory.
   * @returns a record for each window in which the request was counted.
   */
  hitAll(hits: readonly WindowHit[]): MaybePromise<readonly ThrottlerStorageRecord[]>;
  /** Subtracts a request from each window that is still open. Synchronous in memory. */
  undoAll(hits: readonly WindowHit[]): MaybePromise<void>;
}
