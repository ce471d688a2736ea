import type { IncomingHttpHeaders } from 'node:http';

import { UnsupportedMediaTypeError } from '@items/conventions';
import { requireJsonType } from '@items/conventions/answer';

/** @throws {UnsupportedMediaTypeError} 415: not JSON, another charset than UTF-8, or compressed. @see SPEC §4.5 */
export function requireJson(headers: IncomingHttpHeaders): void {
  requireJsonType(headers['content-type']);
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    throw new UnsupportedMediaTypeError('The request body must not be compressed: leave Content-Encoding out.');
  }
}
