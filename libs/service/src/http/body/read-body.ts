import type { IncomingMessage, IncomingHttpHeaders } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { parse as parseForm } from 'node:querystring';

import {
  type ApiError,
  BodyTooLargeError,
  RequestTimeoutError,
  MAX_BODY_BYTES,
  UnsupportedMediaTypeError,
} from '@items/conventions';
import type { FastifyReply, FastifyRequest, FastifyInstance } from 'fastify';
import { CollectedBytes } from './collected-bytes.js';
import { LONG_BODY_BYTES, RECEIVED_PIECE_BYTES, PIECE_MS } from '../limits.js';
import { parseJson } from './parse-json.js';
import { mayHaveBody } from '../request/request-head.js';
import { waitForSlot, QUEUED_AT, type ReceivedRequest } from '../received-request.js';
import { type TranslatedRequest, TRANSLATION, translatedBody } from '../request/translate.js';
import { requireJsonType } from '@items/conventions/answer';

export interface BodyLimits {
  readonly maxBytes: number;
  /** Whether a class validates the body. If so, parsing stops beyond the largest valid body. */
  readonly isValidated: boolean;
}

/**
 * Reads and parses a JSON body. The route needs `config: { readsBody }`, so that nothing else reads the body.
 * @throws {ApiError} 413, 415, 408, 400 and 422, in this order; 503 if a long body has waited too long for a slot.
 */
export async function readJson(
  request: FastifyRequest,
  reply: FastifyReply,
  { maxBytes, isValidated }: BodyLimits,
): Promise<unknown> {
  const raw: TranslatedRequest = request.raw;
  const { headers } = raw;
  const beganAtMs = typeof request.onBodyRead === 'function' ? performance.now() : 0;
  try {
    requireSmallBody(raw, maxBytes);
    const type = headers['content-type'];
    const isPlain = type === 'application/json' && headers['content-encoding'] === undefined;
    if (!isPlain && (type !== undefined || mayHaveBody(raw))) requireJson(headers);
    // Send `100 Continue` only when the handler wants the body.
    if (headers.expect !== undefined && raw.httpVersionMinor > 0) reply.raw.writeContinue();
    // Wait for the bytes that arrived with the head: Node emits them later in this tick.
    await Promise.resolve();
    const bytes = wholeBody(raw) ?? (await readBody(raw, maxBytes));
    if (raw[TRANSLATION] !== undefined) return await translatedBody(raw, () => parseInTurns(raw, bytes));
    if (bytes.length > LONG_BODY_BYTES) return await parseInTurns(raw, bytes, isValidated);
    return await parseJson(bytes, { isValidated });
  } finally {
    request.onBodyRead?.(beganAtMs);
  }
}

async function parseInTurns(message: ReceivedRequest, bytes: Buffer, isValidated = false): Promise<unknown> {
  const pause = async (): Promise<void> => {
    await yieldToEventLoop();
    await waitForSlot(message);
  };
  if (bytes.length > LONG_BODY_BYTES) await waitForSlot(message);
  return parseJson(bytes, { pause, isValidated });
}

export function requireSmallBody({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new BodyTooLargeError(maxBytes);
}

/**
 * Returns a body that has already arrived, as most bodies have. Returns undefined for others, and without
 * `Content-Length`.
 */
export function wholeBody(message: IncomingMessage): Buffer | undefined {
  const { readableLength, headers } = message;
  if (readableLength === 0 || headers['content-length'] !== String(readableLength)) return undefined;
  const bytes = message.read() as Buffer;
  message.resume();
  return bytes;
}

const FAILED = Symbol('the body has failed');
const failures = new WeakMap<IncomingMessage, ApiError>();

/** Makes the reader of a body fail, because the rest is malformed or too late. */
export function failBody(message: IncomingMessage, failure: ApiError): void {
  failures.set(message, failure);
  message.emit(FAILED, failure);
}

/**
 * Reads a body. After the first 32 KiB, each further 64 KiB need a slot of the request queue. The rest of a
 * refused body is read and dropped, so that the connection stays usable.
 * @param maxBytes also bounds the memory, however small the chunks are.
 * @throws {BodyTooLargeError} 413
 * @throws {RequestTimeoutError} 408: the body did not arrive in time, or the client has disconnected.
 * @throws {ServiceUnavailableError} 503 `overloaded`: the request has waited too long for slots.
 */
export async function readBody(message: ReceivedRequest, maxBytes: number): Promise<Buffer> {
  if (message.readableEnded)
    throw new Error('The body was already read by Fastify: give its route `config: { readsBody: {} }`.');
  const bytes = new CollectedBytes(maxBytes);
  let nextSlotAt = LONG_BODY_BYTES;
  let sinceMs = performance.now();
  // The time that the client takes to send does not count as waiting.
  const excludeReceiveTime = (): void => {
    const nowMs = performance.now();
    if (message[QUEUED_AT] !== undefined) message[QUEUED_AT] += nowMs - sinceMs;
    sinceMs = nowMs;
  };
  return await new Promise((resolve, reject) => {
    const fail = (failure: ApiError): void => {
      message.off('data', collect);
      message.resume();
      bytes.drop();
      reject(failure);
    };
    const collect = (chunk: Buffer): void => {
      if (!bytes.add(chunk)) fail(new BodyTooLargeError(maxBytes));
      else if (bytes.length > nextSlotAt) pauseForSlot();
    };
    const pauseForSlot = (): void => {
      nextSlotAt = bytes.length + RECEIVED_PIECE_BYTES;
      excludeReceiveTime();
      const slot = waitForSlot(message, PIECE_MS);
      if (slot === undefined) return;
      message.pause();
      slot.then(() => {
        sinceMs = performance.now();
        message.resume();
      }, fail);
    };
    message.once(FAILED, fail);
    const failure = failures.get(message);
    if (failure !== undefined) fail(failure);
    message.on('error', () => reject(new RequestTimeoutError()));
    message.on('end', () => {
      excludeReceiveTime();
      resolve(bytes.all());
    });
    message.on('data', collect);
  });
}

const FORM = 'application/x-www-form-urlencoded';
const TEXT = 'text/plain';

/** Parses `request.body` as Nest applications expect it: JSON, a form or plain text. Skips routes with `readsBody`. */
export function installBodyParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (request, _payload, done) => {
    if (request.routeOptions.config.readsBody === undefined) return parsedBody(request);
    done(null);
    return undefined;
  });
  fastify.addHook('onRoute', (route) => {
    if (route.config?.readsBody !== undefined) return;
    // Parsers of plugins do not send `100 Continue`, so send it before they run.
    route.preParsing = [
      ({ raw }, reply, _payload, done) => {
        if (raw.headers.expect !== undefined && raw.httpVersionMinor > 0 && mayHaveBody(raw)) reply.raw.writeContinue();
        done();
      },
      ...[route.preParsing ?? []].flat(),
    ];
  });
}

async function parsedBody(request: FastifyRequest): Promise<unknown> {
  const { raw, mediaType } = request;
  if (!mayHaveBody(raw)) return undefined;
  requireSmallBody(raw, MAX_BODY_BYTES);
  if (mediaType !== FORM && mediaType !== TEXT) requireJson(raw.headers);
  const bytes = await readBody(raw, MAX_BODY_BYTES);
  request.rawBody = bytes;
  if (mediaType === FORM) return { ...parseForm(bytes.toString()) };
  if (mediaType === TEXT) return bytes.toString();
  return translatedBody(raw, () => parseInTurns(raw, bytes));
}

/** @throws {UnsupportedMediaTypeError} 415: not JSON, a charset other than UTF-8, or compressed. @see SPEC §4.5 */
export function requireJson(headers: IncomingHttpHeaders): void {
  requireJsonType(headers['content-type']);
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity')
    throw new UnsupportedMediaTypeError('The request body must not be compressed: omit Content-Encoding.');
}
