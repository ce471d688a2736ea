import type { ConditionalOptions } from '../client-options.js';

/**
 * The condition of a write; none where `ifMatch` is absent.
 * @throws {TypeError} where it is there without a value: without the header, the write would overwrite what others wrote.
 * @see RFC 9110 §13.1.1
 */
export function conditionOf(options: ConditionalOptions): Readonly<Record<string, string>> {
  if (!('ifMatch' in options)) return {};
  if (options.ifMatch) return { 'if-match': options.ifMatch };
  throw new TypeError('ifMatch has no ETag: omit it to write unconditionally.');
}
