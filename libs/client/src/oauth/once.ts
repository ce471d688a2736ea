const MAX_RESULTS = 8;

const results = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Runs a function once per storage and key. Later calls return the same result, of which the last few are cached. */
export async function once<T>(storage: object, key: string, run: () => Promise<T>): Promise<T> {
  const known = results.get(storage) ?? new Map<string, Promise<unknown>>();
  results.set(storage, known);
  const result = (known.get(key) ?? run()) as Promise<T>;
  known.set(key, result);
  for (const oldest of known.keys()) if (known.size > MAX_RESULTS) known.delete(oldest);
  return result;
}
