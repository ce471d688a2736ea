import type { FastifyRequest } from 'fastify';

/** How a request shows who makes it, as its raw headers have it. */
export type Presented =
  | { readonly method: 'none' }
  | { readonly method: 'several' }
  | { readonly method: 'api-key' }
  | { readonly method: 'authorization'; /** In lower case. */ readonly scheme: string };

const NONE: Presented = { method: 'none' };
const SEVERAL: Presented = { method: 'several' };
const API_KEY: Presented = { method: 'api-key' };

/**
 * Counts the credentials in the raw headers: Node drops a second Authorization, and joins a second X-API-Key to the
 * first, so that the parsed headers cannot tell.
 */
export function presentedCredential(request: FastifyRequest): Presented {
  const { 'x-api-key': apiKey, authorization } = request.raw.headers;
  if (apiKey === undefined && authorization === undefined) return NONE;
  if (countCredentials(request.raw.rawHeaders) > 1) return SEVERAL;
  if (authorization === undefined) return API_KEY;
  return { method: 'authorization', scheme: schemeOf(authorization) };
}

function countCredentials(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // By length first: nearly every header is told apart without making a lower case copy of its name.
    if (name.length === 9 && name.toLowerCase() === 'x-api-key') count++;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') count++;
  }
  return count;
}

function schemeOf(authorization: string): string {
  const end = authorization.search(/[ \t]/);
  return (end === -1 ? authorization : authorization.slice(0, end)).toLowerCase();
}
