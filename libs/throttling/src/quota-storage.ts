import type { MaybePromise } from '@items/conventions';
import type { ThrottlerStorage } from '@nestjs/throttler';

/** What a storage says of a window; times in whole seconds. */
export type ThrottlerStorageRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** One window in which a request counts. */
export interface WindowHit {
  readonly key: string;
  /** Length of the window that begins if none is open. */
  readonly windowMs: number;
  /** Requests that the window allows. */
  readonly limit: number;
  /** Name of the throttler, as `increment` of Nest's storages has it. */
  readonly quota: string;
}

/** A storage of Nest's throttler that can count one request in several windows. */
export interface QuotaStorage extends ThrottlerStorage {
  /**
   * Counts a request in each window, in their order, and stops behind the first that it exceeds: what one quota refuses
   * uses up nothing of the next. At once where it is counted in memory.
   * @returns a record for each window in which the request was counted.
   */
  hitAll(hits: readonly WindowHit[]): MaybePromise<readonly ThrottlerStorageRecord[]>;
  /** Takes a request out of each window again, if the window is still open. Synchronous in memory. */
  undoAll(hits: readonly WindowHit[]): MaybePromise<void>;
}
