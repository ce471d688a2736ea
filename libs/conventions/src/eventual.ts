/** A value that is known, or will be: what is known at once, such as a row of SQLite, costs no promise. */
export type Eventual<T> = T | Promise<T>;

/**
 * Goes on with a value, at once where it is known. What `next` throws then is thrown at once as well.
 * @param value may be anything with a `then`, such as the lazy query of another library: what its `then` returns is not
 * relied on.
 * @example return andThen(cache.get(id), (user) => user.name);
 */
export function andThen<T, Result>(value: Eventual<T>, next: (value: T) => Eventual<Result>): Eventual<Result> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}

/** Whether a value will be known only later. */
export function isPromise<T>(value: Eventual<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
