import type { MaybePromise } from '@items/conventions';

/** Failures counted in a window that began with the first of them. */
export interface FailureWindow {
  /** 0 where no window is open. */
  readonly count: number;
  readonly leftMs: number;
}

/** Counts failures by key, each in a window of its own. */
export interface FailureWindows {
  read(key: string): MaybePromise<FailureWindow>;
  add(key: string): Promise<unknown>;
  forget(key: string): Promise<unknown>;
}
