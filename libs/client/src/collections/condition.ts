import type { ConditionalOptions } from '../client-options.js';

/**
 * The condition of a write; none where `ifMatch` is absent.
 * @throws {TypeError} where it is there without a value: without the header, the write would overwrite what others wrote.
 * @see RFC 9110 §13.1.1
 */
export function conditionOf(options: ConditionalOptions): Readonly<Record<'if-match', string | undefined>> {
  if (!('ifMatch' in options) || options.ifMatch) return { 'if-match': options.ifMatch };
  throw new TypeError('ifMatch has no ETag: leave it out to write whatever is there.');
}
