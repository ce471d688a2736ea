import { createHash } from 'node:crypto';

import { HEADER } from '@items/contracts';
import { InvalidQueryError, shownName } from '@items/errors';
import { linkHeader, parseListQuery, type ListRequest, type ListRules } from '@items/paging';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { principalOf } from '../auth/request-principal.js';
import type { ListAnswer } from '../collections/collection-reader.js';
import type { Precondition, Tagged } from '../collections/collection-service.js';
import type { IdempotentCreation, RepeatableRequest } from '../idempotency/idempotency.js';
import type { AuditSource } from '../logging/audit.js';
import { answerConditionally, preconditionOf } from './conditional.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { queryOf } from './query.js';

/** A request and its answer, in the terms of specification §4: what controllers need of HTTP. RFC 9110 §3.4 */
export class HttpExchange {
  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {}

  /** Of the request, without its query. */
  get path(): string {
    const url = this.request.raw.url ?? '';
    const end = url.indexOf('?');
    return end === -1 ? url : url.slice(0, end);
  }

  /** Who asks, and from where, for the audit log. */
  get source(): AuditSource {
    const { principal, ip, id } = this.request;
    return { actor: principal?.credentialId ?? null, userId: principal?.userId ?? null, address: ip, requestId: id };
  }

  /** The `If-Match` and `If-None-Match` of a write. RFC 9110 §13.1 */
  get precondition(): Precondition {
    return preconditionOf(this.request.raw);
  }

  /** @throws {InvalidQueryError} 400 @throws {InvalidCursorError} 400 */
  listRequest(rules: ListRules): ListRequest {
    return parseListQuery(queryOf(this.request), rules);
  }

  /**
   * The `Idempotency-Key` of a POST, with all that tells a repetition from another request. decisions §4
   * @param credentialId of whoever asks, where the credential stands in the body.
   */
  repeatable(body: object, credentialId?: string): RepeatableRequest | undefined {
    const key = idempotencyKeyOf(this.request.raw);
    if (key === undefined) return undefined;
    const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
    const asker = credentialId ?? principalOf(this.request).credentialId;
    return { credentialId: asker, route: this.path, key, fingerprint };
  }

  /** 200 with the page and its `Link`. RFC 8288 */
  list<Resource>({ body, links }: ListAnswer<Resource>): object {
    const link = linkHeader(this.path, queryOf(this.request), links);
    if (link !== undefined) this.reply.header('link', link);
    return body;
  }

  /** 200 with the `ETag`, or 304 where the client has this state. RFC 9110 §13 */
  tagged<Resource>({ etag, resource }: Tagged<Resource>): Resource | undefined {
    return answerConditionally(this.request.raw, this.reply, etag, resource);
  }

  /** 200 with the `ETag` of what was written. */
  replaced<Resource>({ etag, resource }: Tagged<Resource>): Resource {
    this.reply.header('etag', etag);
    return resource;
  }

  /** 201 with `Location` and `ETag`. SPEC §4 rule 1 */
  created<Resource>({ resource, location, etag, replayed }: IdempotentCreation<Resource>): Resource {
    this.reply.code(201).header('location', location).header('etag', etag);
    if (replayed) this.reply.header(HEADER.idempotentReplayed, 'true');
    return resource;
  }

  /** 204 with an empty body. SPEC §4 rule 2 */
  deleted(): undefined {
    this.reply.code(204);
    return undefined;
  }

  /** 204: there is nothing to say. */
  done(): undefined {
    return this.deleted();
  }
}

/**
 * Gives a handler its {@link HttpExchange}. Unless it is `'with query'`, the route takes no query parameters.
 * @throws {InvalidQueryError} 400: a parameter that the route does not have.
 */
export const Exchange = createParamDecorator((query: 'with query' | undefined, context: ExecutionContext) => {
  const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
  const [unknown] = query === undefined ? queryOf(request) : [];
  if (unknown !== undefined) {
    const name = shownName(unknown[0]);
    throw new InvalidQueryError(name, 'unknown_parameter', `"${name}" is not a query parameter of this resource.`);
  }
  return new HttpExchange(request, reply);
});
