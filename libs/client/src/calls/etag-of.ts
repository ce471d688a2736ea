const etags = new WeakMap<object, string | undefined>();

/**
 * The `ETag` that a resource came with, for `ifMatch`.
 * @param resource as a call of a client returned it, itself.
 * @returns undefined where the response had none. RFC 9110 §8.8.3
 * @throws {TypeError} for a row of a list, a copy, and everything else that no call returned.
 */
export function etagOf(resource: object): string | undefined {
  if (etags.has(resource)) return etags.get(resource);
  throw new TypeError('No ETag is known of a row of a list or a copy: use get(id) or .withResponse().');
}

/** Remembers what {@link etagOf} returns. */
export function rememberEtag(resource: object, etag: string | undefined): void {
  etags.set(resource, etag);
}
