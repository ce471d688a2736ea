const etags = new WeakMap<object, string | undefined>();

/**
 * Returns the `ETag` of a resource, for `ifMatch`.
 * @param resource The very object that a call returned.
 * @returns Undefined if the response had none. RFC 9110 §8.8.3
 * @throws {TypeError} No call returned this object: it is a row of a list or a copy, for instance.
 */
export function etagOf(resource: object): string | undefined {
  if (etags.has(resource)) return etags.get(resource);
  throw new TypeError('Rows of lists and copies have no ETag: use get(id) or .withResponse().');
}

/** The service uses only strong tags, so `W/` comes from a compressing proxy. RFC 9110 §8.8.3 */
export function etagIn(headers: Headers): string | undefined {
  return headers.get('etag')?.replace(/^W\//, '');
}

export function rememberEtag(resource: object, etag: string | undefined): void {
  etags.set(resource, etag);
}
