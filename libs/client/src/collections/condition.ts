import type { ConditionalOptions } from '../client-options.js';

/**
 * Returns no headers if `ifMatch` is absent.
 * @throws {TypeError} `ifMatch` is present but undefined: without the header, the write would overwrite changes of
 * other clients.
 * @see RFC 9110 §13.1.1
 */
export function conditionOf(options: ConditionalOptions): Readonly<Record<string, string>> {
  if (!('ifMatch' in options)) return {};
  if (options.ifMatch) return { 'if-match': options.ifMatch };
  throw new TypeError('ifMatch has no ETag: omit it to write unconditionally.');
}
