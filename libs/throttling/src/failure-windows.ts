import type { MaybePromise } from '@items/conventions';

/** The window began with the first failure. */
export interface FailureWindow {
  readonly count: number;
  readonly leftMs: number;
}

export interface FailureWindows {
  read(key: string): MaybePromise<FailureWindow>;
  add(key: string): Promise<unknown>;
  forget(key: string): Promise<unknown>;
}
