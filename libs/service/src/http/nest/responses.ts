import { Readable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import type { Created, Tagged } from '../../data/collections/tagged.js';
import { JsonPieces } from '../../data/lists/json-pieces.js';
import { HEADER } from '@items/conventions';
import type {} from '../base-path.js';
import { respondConditionally, type Conditions, UNCONDITIONAL } from '../request/conditional.js';
import { CACHE_CONTROL, RESOURCE_CACHE_CONTROL } from '../request/general-headers.js';
import { linkHeaderTo, type PageLinks } from '@items/paging';
import type { FastifyReply } from 'fastify';
import { waitForSlot } from '../received-request.js';

/* Responses of SPEC §4. Each function sets status and headers, and returns the body: the resource or its JSON text. */

export const JSON_TYPE = 'application/json; charset=utf-8';

/** JSON text that a Nest handler returns to send it unchanged. */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

export interface ServedPage {
  readonly body: object;
  /** JSON of the body, if it exists already. */
  readonly json?: string | JsonPieces;
  readonly links: PageLinks;
}

/** Sets `Link` (RFC 8288). A long page is a stream of pieces without `Content-Length`. */
export function pageResponse(reply: FastifyReply, page: ServedPage, linkTarget: string): object | string {
  const link = linkHeaderTo(reply.server.basePath + linkTarget, page.links);
  if (link !== undefined) reply.header('link', link);
  const { json } = page;
  // Reading `page.body` builds the body, so skip it if the JSON exists.
  if (!(json instanceof JsonPieces)) return json ?? page.body;
  reply.header('content-type', JSON_TYPE);
  const stream = streamOf(reply.request.method === 'HEAD' ? [] : json.pieces, reply.raw);
  pageStreams.add(stream);
  return stream;
}

const pageStreams = new WeakSet<Readable>();

export function isPageStream(stream: Readable): boolean {
  return pageStreams.has(stream);
}

/** Responds with the state, or with 304 if the client already has this state. RFC 9110 §13 */
export function stateResponse<Resource>(
  reply: FastifyReply,
  conditions: Conditions,
  state: Tagged<Resource>,
): Resource | string | undefined {
  if (conditions === UNCONDITIONAL) return writtenResponse(reply, state);
  forbidTransform(reply);
  return respondConditionally(conditions, reply, state.etag, () => state.json ?? state.resource);
}

export function writtenResponse<Resource>(reply: FastifyReply, state: Tagged<Resource>): Resource | string {
  forbidTransform(reply);
  reply.header('etag', state.etag);
  return state.json ?? state.resource;
}

/** Adds `no-transform` to the default `Cache-Control` only, not to that of a secret. */
function forbidTransform(reply: FastifyReply): void {
  if (reply.getHeader('cache-control') === CACHE_CONTROL) reply.header('cache-control', RESOURCE_CACHE_CONTROL);
}

/** Responds with 201, `Location` and `ETag`. SPEC §4 rule 1 */
export function createdResponse<Resource>(reply: FastifyReply, made: Created<Resource>): Resource | string {
  forbidTransform(reply);
  reply
    .code(201)
    .header('location', reply.server.basePath + made.location)
    .header('etag', made.etag);
  if (made.replayed) reply.header(HEADER.idempotentReplayed, 'true');
  return made.json ?? made.resource;
}

export function textOf(reply: FastifyReply, body: object | string | undefined): string | Readable | undefined {
  if (body === undefined || body instanceof Readable) return body;
  reply.header('content-type', JSON_TYPE);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.length <= SENT_PIECE_BYTES ? text : inPieces(reply, text);
}

/** Size of a streamed piece: a client that takes at least one piece in 28 s stays connected. */
const SENT_PIECE_BYTES = 65_536;

/** A long text becomes a stream of pieces, so that a client that stops reading is detected. */
export function inPieces(reply: FastifyReply, text: string): string | Readable {
  if (text.length <= SENT_PIECE_BYTES) return text;
  const bytes = Buffer.from(text);
  reply.header('content-length', String(bytes.length));
  return streamOf(piecesOf(bytes), reply.raw);
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += SENT_PIECE_BYTES)
    yield bytes.subarray(start, start + SENT_PIECE_BYTES);
}

/**
 * Streams pieces, one per turn of the event loop, as fast as the client reads, until it disconnects.
 * @param pieces are produced only when needed.
 */
export function streamOf(pieces: Iterable<string | Buffer>, response: ServerResponse): Readable {
  return Readable.from(inTurns(pieces, response), { objectMode: false });
}

async function* inTurns(pieces: Iterable<string | Buffer>, response: ServerResponse): AsyncGenerator<string | Buffer> {
  for (const piece of pieces) {
    yield piece;
    await yieldToEventLoop();
    await waitForSlot(response.req);
  }
}
