import type { IncomingHttpHeaders } from 'node:http';

import { UnsupportedMediaTypeError } from '@items/conventions';
import { requireJsonType } from '@items/conventions/answer';

/**
 * Requires an uncompressed JSON body in UTF-8.
 * @throws {UnsupportedMediaTypeError} 415: another media type, charset or content coding.
 * @see SPEC §4.5
 */
export function requireJson(headers: IncomingHttpHeaders): void {
  requireJsonType(headers['content-type']);
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    throw new UnsupportedMediaTypeError('The request body must not be compressed: leave Content-Encoding out.');
  }
}
