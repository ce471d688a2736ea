import type { IncomingMessage } from 'node:http';

import { InvalidHeaderError, PreconditionFailedError } from '@items/errors';
import type { FastifyReply } from 'fastify';

/** What `If-Match` or `If-None-Match` holds: any representation, or one of these entity tags as written. */
export type EntityTags = '*' | readonly string[];

/** RFC 9110 §8.8.3: the opaque part has no blank and no quote. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;
/** RFC 9110 §5.6.1: empty elements of a list are ignored. A comma may stand inside a tag, so this is no split. */
const LIST = /\s*((?:W\/)?"[^"]*")?\s*(?:,|$)/gy;

/**
 * Reads a list of entity tags.
 * @throws {InvalidHeaderError} 400: neither `*` nor a list of entity tags.
 * @see RFC 9110 §13.1.1, §13.1.2
 */
export function parseEntityTags(header: string, value: string): EntityTags {
  const text = value.trim();
  if (text === '*') return '*';
  const matches = [...text.matchAll(LIST)];
  const covered = matches.reduce((length, [match]) => length + match.length, 0);
  const tags = matches.flatMap(([, tag]) => tag ?? []);
  if (covered !== text.length || tags.length === 0 || !tags.every((tag) => ENTITY_TAG.test(tag))) {
    throw new InvalidHeaderError(`${header} must be "*" or a list of entity tags in double quotes.`);
  }
  return tags;
}

/** Whether `If-Match` holds: strong comparison, so a weak tag never matches. RFC 9110 §8.8.3.2 */
export function matchesStrongly(tags: EntityTags, etag: string): boolean {
  return tags === '*' || (!etag.startsWith('W/') && tags.includes(etag));
}

/** Whether `If-None-Match` names the representation: weak comparison. RFC 9110 §8.8.3.2 */
export function matchesWeakly(tags: EntityTags, etag: string): boolean {
  return tags === '*' || tags.some((tag) => opaque(tag) === opaque(etag));
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

/**
 * What a write asks of the state that it finds, to be judged in the write's transaction.
 * @returns a function that throws {@link PreconditionFailedError}, 412, for the entity tag of another state.
 * @throws {InvalidHeaderError} 400
 * @see RFC 9110 §13.2.2
 */
export function preconditionOf({ headers }: IncomingMessage): (etag: string) => void {
  const match = tagsOf('If-Match', headers['if-match']);
  const noneMatch = tagsOf('If-None-Match', headers['if-none-match']);
  return (etag) => {
    if (match !== undefined && !matchesStrongly(match, etag)) throw new PreconditionFailedError();
    if (noneMatch !== undefined && matchesWeakly(noneMatch, etag)) throw new PreconditionFailedError('If-None-Match');
  };
}

/**
 * Gives a GET its `ETag`, and judges its preconditions; where the client has this very state, the answer becomes 304
 * without a body and with the headers of the 200.
 * @returns the body, or undefined for 304.
 * @throws {PreconditionFailedError} 412: `If-Match` names another state.
 * @see RFC 9110 §13.2.2, §15.4.5
 */
export function answerConditionally<T>(
  message: IncomingMessage,
  reply: FastifyReply,
  etag: string,
  body: T,
): T | undefined {
  const match = tagsOf('If-Match', message.headers['if-match']);
  if (match !== undefined && !matchesStrongly(match, etag)) throw new PreconditionFailedError();
  const noneMatch = tagsOf('If-None-Match', message.headers['if-none-match']);
  const isKnown = noneMatch !== undefined && matchesWeakly(noneMatch, etag);
  // Not before both headers are judged: an error has no entity tag.
  reply.header('etag', etag);
  if (!isKnown) return body;
  reply.code(304);
  return undefined;
}

function tagsOf(header: string, value: string | undefined): EntityTags | undefined {
  return value === undefined ? undefined : parseEntityTags(header, value);
}
