import type { IncomingMessage } from 'node:http';

import { InvalidHeaderError, PreconditionFailedError, WeakEtagError } from '@items/conventions';
import type { FastifyReply } from 'fastify';

export type EntityTags = '*' | readonly string[];

/** RFC 9110 §8.8.3: the opaque part has no blank and no quote. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;
/** RFC 9110 §5.6.1: empty elements are ignored. A tag may contain a comma, so splitting at commas is wrong. */
const LIST = /[ \t]*(?:((?:W\/)?"[^"]*")[ \t]*)?(?:,|$)/gy;

/**
 * Parses `If-Match` or `If-None-Match`.
 * @throws {InvalidHeaderError} 400: the header is neither `*` nor a list of entity tags.
 * @see RFC 9110 §13.1.1, §13.1.2
 */
export function parseEntityTags(header: string, value: string): EntityTags {
  const text = value.trim();
  if (text === '*') return '*';
  if (ENTITY_TAG.test(text)) return [text];
  const matches = [...text.matchAll(LIST)];
  const covered = matches.reduce((length, [match]) => length + match.length, 0);
  const tags = matches.flatMap(([, tag]) => tag ?? []);
  if (covered !== text.length || tags.length === 0 || !tags.every((tag) => ENTITY_TAG.test(tag)))
    throw new InvalidHeaderError(`${header} must be "*" or a list of entity tags in double quotes.`);
  return tags;
}

/**
 * `If-Match` compares strongly, so a weak tag never matches. RFC 9110 §8.8.3.2
 * @throws {PreconditionFailedError} 412
 * @throws {WeakEtagError} 412: all tags are weak.
 */
export function requireMatch(tags: EntityTags, etag: string): void {
  if (tags === '*' || (!isWeak(etag) && tags.includes(etag))) return;
  throw tags.every(isWeak) ? new WeakEtagError() : new PreconditionFailedError();
}

/** `If-None-Match` compares weakly. RFC 9110 §8.8.3.2 */
export function matchesWeakly(tags: EntityTags, etag: string): boolean {
  return tags === '*' || tags.some((tag) => opaque(tag) === opaque(etag));
}

function isWeak(tag: string): boolean {
  return tag.startsWith('W/');
}

function opaque(tag: string): string {
  return isWeak(tag) ? tag.slice(2) : tag;
}

export interface Conditions {
  readonly match: EntityTags | undefined;
  readonly noneMatch: EntityTags | undefined;
}

export const UNCONDITIONAL: Conditions = { match: undefined, noneMatch: undefined };

/** Each header has one value: Node joins repeated ones with commas. RFC 9110 §5.3 */
export function conditionsOf({ headers }: IncomingMessage): Conditions {
  const tagsOf = (header: string, value: string | undefined): EntityTags | undefined =>
    value === undefined ? undefined : parseEntityTags(header, value);
  return {
    match: tagsOf('If-Match', headers['if-match']),
    noneMatch: tagsOf('If-None-Match', headers['if-none-match']),
  };
}

/**
 * Returns a check of the precondition of a write. Call the check in the transaction. Undefined without a precondition.
 * The check throws 412: {@link PreconditionFailedError} or {@link WeakEtagError}. RFC 9110 §13.2.2
 */
export function preconditionOf({ match, noneMatch }: Conditions): ((etag: string) => void) | undefined {
  if (match === undefined && noneMatch === undefined) return undefined;
  return (etag) => {
    if (match !== undefined) requireMatch(match, etag);
    if (noneMatch !== undefined && matchesWeakly(noneMatch, etag)) throw new PreconditionFailedError('If-None-Match');
  };
}

/**
 * Responds with 304, and the headers of the 200, if the client already has this state.
 * @returns undefined for 304.
 * @throws {PreconditionFailedError} 412
 * @throws {WeakEtagError} 412
 * @see RFC 9110 §13.2.2, §15.4.5
 */
export function respondConditionally<T>(
  { match, noneMatch }: Conditions,
  reply: FastifyReply,
  etag: string,
  bodyOf: () => T,
): T | undefined {
  if (match !== undefined) requireMatch(match, etag);
  const isKnown = noneMatch !== undefined && matchesWeakly(noneMatch, etag);
  reply.header('etag', etag);
  if (!isKnown) return bodyOf();
  reply.code(304);
  return undefined;
}
