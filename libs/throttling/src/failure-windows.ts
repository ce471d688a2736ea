import type { MaybePromise } from '@items/conventions';

/** Failures in a window that began with the first of them. */
export interface FailureWindow {
  /** 0 without an open window. */
  readonly count: number;
  readonly leftMs: number;
}

/** Counts failures by key, with a window for each key. */
export interface FailureWindows {
  read(key: string): MaybePromise<FailureWindow>;
  add(key: string): Promise<unknown>;
  forget(key: string): Promise<unknown>;
}
