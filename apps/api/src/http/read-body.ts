import type { IncomingMessage } from 'node:http';

import { MAX_BODY_BYTES } from '@items/contracts';
import { type ApiError, BodyTooLargeError, RequestTimeoutError } from '@items/errors';

import { onBodyFailure } from './body-failure.js';

/**
 * Refuses a body that declares itself too large, before a byte of it is read.
 * @throws {BodyTooLargeError} 413.
 */
export function requireSmallBody({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw new BodyTooLargeError();
}

/**
 * Reads a body to its end. What is left of one that is refused is read and dropped, so that the connection stays usable.
 * @throws {BodyTooLargeError} 413.
 * @throws {RequestTimeoutError} 408: it did not arrive in time, or its client has gone.
 */
export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return await new Promise((resolve, reject) => {
    const fail = (failure: ApiError): void => {
      message.off('data', collect);
      message.resume();
      reject(failure);
    };
    const collect = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_BODY_BYTES) fail(new BodyTooLargeError());
    };
    onBodyFailure(message, fail);
    message.on('error', () => {
      reject(new RequestTimeoutError());
    });
    message.on('end', () => {
      const [only, second] = chunks;
      resolve(only !== undefined && second === undefined ? only : Buffer.concat(chunks, size));
    });
    message.on('data', collect);
  });
}
