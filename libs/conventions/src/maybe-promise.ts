/** A value, or a promise of it. Available synchronously if cached or read from SQLite. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Applies `next` to a value. Runs and throws synchronously, unless the value is a promise.
 * @param value may be any thenable, such as a lazy query of another library.
 * @example
 * return thenMaybe(cache.get(id), (user) => user.name);
 */
export function thenMaybe<T, Result>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<Result>,
): MaybePromise<Result> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}

export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
