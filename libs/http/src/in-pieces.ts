import type { Readable } from 'node:stream';

import type { FastifyReply } from 'fastify';

import { streamOf } from './stream-of.js';

/** Of a long text: a client that takes one in {@link READER_TIMEOUT_MS} is not cut. */
const PIECE_BYTES = 65_536;

/**
 * A text that is to be sent: as it is, or a long one as a stream of pieces, so that it can be seen whether its client reads.
 * Sets the `Content-Length` of a long one.
 */
export function inPieces(reply: FastifyReply, text: string): string | Readable {
  if (text.length <= PIECE_BYTES) return text;
  const bytes = Buffer.from(text);
  reply.header('content-length', String(bytes.length));
  return streamOf(piecesOf(bytes), reply.raw);
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES);
}
