import type { Answer } from '../http/outgoing-request.js';

const etags = new WeakMap<object, string>();

/**
 * The `ETag` that a resource came with, for `ifMatch`.
 * @param resource as a call of this client returned it; a copy has none.
 * @returns undefined where the answer had none. RFC 9110 §8.8.3
 */
export function etagOf(resource: object): string | undefined {
  return etags.get(resource);
}

/** The resource in an answer, of which {@link etagOf} knows the `ETag`. */
export async function resourceOf<T extends object>(answer: Promise<Answer>): Promise<T> {
  const { body, headers } = await answer;
  const etag = headers.get('etag');
  if (etag !== null) etags.set(body, etag);
  return body as T;
}
