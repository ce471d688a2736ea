/** A value, or a promise of it. Cached values and rows of SQLite are returned synchronously. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Goes on with a value, at once where it is known. What `next` throws then is thrown at once as well.
 * @param value may be anything with a `then`, such as the lazy query of another library: what its `then` returns is not
 * relied on.
 * @example return thenMaybe(cache.get(id), (user) => user.name);
 */
export function thenMaybe<T, Result>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<Result>,
): MaybePromise<Result> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}

/** Whether a value will be known only later. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
