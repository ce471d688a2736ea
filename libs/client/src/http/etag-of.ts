const etags = new WeakMap<object, string | undefined>();

/**
 * The `ETag` that a resource came with, for `ifMatch`.
 * @param resource as a call of a client returned it, itself.
 * @returns undefined where the response had none. RFC 9110 §8.8.3
 * @throws {TypeError} for a row of a list, a copy, and everything else that no call returned.
 */
export function etagOf(resource: object): string | undefined {
  if (etags.has(resource)) return etags.get(resource);
  throw new TypeError('Rows of lists and copies have no ETag: use get(id) or .withResponse().');
}

/** The `ETag` of a response. The service makes only strong tags: `W/` was added by a proxy that compresses. RFC 9110 §8.8.3 */
export function etagIn(headers: Headers): string | undefined {
  return headers.get('etag')?.replace(/^W\//, '');
}

/** Remembers what {@link etagOf} returns. */
export function rememberEtag(resource: object, etag: string | undefined): void {
  etags.set(resource, etag);
}
