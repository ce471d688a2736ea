import type { IncomingMessage } from 'node:http';

import { type ApiError, BodyTooLargeError, RequestTimeoutError } from '@items/conventions';

import { onBodyFailure } from './body-failure.js';
import { CollectedBytes } from './collected-bytes.js';

/**
 * Refuses a body that declares itself too large, before a byte of it is read.
 * @throws {BodyTooLargeError} 413.
 */
export function requireSmallBody({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new BodyTooLargeError(maxBytes);
}

/**
 * A body that is there already: most come in one piece with their head, or right behind it, and need no waiting for pieces.
 * @returns undefined where it is not all there, or does not say how long it is.
 */
export function wholeBody(message: IncomingMessage): Buffer | undefined {
  const { readableLength, headers } = message;
  if (readableLength === 0 || headers['content-length'] !== String(readableLength)) return undefined;
  const bytes = message.read() as Buffer;
  // Who waits for its end is told.
  message.resume();
  return bytes;
}

/**
 * Reads a body to its end. What is left of one that is refused is read and dropped, so that the connection stays usable.
 * @param maxBytes also the most that is held of it, however small the pieces are that it comes in.
 * @throws {BodyTooLargeError} 413.
 * @throws {Error} somebody else has read it: a parser of Fastify.
 * @throws {RequestTimeoutError} 408: it did not arrive in time, or its client has gone.
 */
export async function readBody(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (message.readableEnded) throw new Error('The body was read before: give its route `config: { readsBody: {} }`.');
  const bytes = new CollectedBytes(maxBytes);
  return await new Promise((resolve, reject) => {
    const fail = (failure: ApiError): void => {
      message.off('data', collect);
      message.resume();
      bytes.drop();
      reject(failure);
    };
    const collect = (chunk: Buffer): void => {
      if (!bytes.add(chunk)) fail(new BodyTooLargeError(maxBytes));
    };
    onBodyFailure(message, fail);
    message.on('error', () => {
      reject(new RequestTimeoutError());
    });
    message.on('end', () => {
      resolve(bytes.all());
    });
    message.on('data', collect);
  });
}
