const etags = new WeakMap<object, string | undefined>();

/**
 * Returns the `ETag` of a resource, for `ifMatch`.
 * @param resource The object that a call returned, not a copy.
 * @returns Undefined if the response had no `ETag`. RFC 9110 §8.8.3
 * @throws {TypeError} No call returned this object: it may be a row of a list, or a copy.
 */
export function etagOf(resource: object): string | undefined {
  if (etags.has(resource)) return etags.get(resource);
  throw new TypeError('Rows of lists and copies have no ETag: use get(id) or .withResponse().');
}

/** Removes `W/`: the service sends only strong tags, and a compressing proxy weakens them. RFC 9110 §8.8.3 */
export function etagIn(headers: Headers): string | undefined {
  return headers.get('etag')?.replace(/^W\//, '');
}

export function rememberEtag(resource: object, etag: string | undefined): void {
  etags.set(resource, etag);
}
