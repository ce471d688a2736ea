import { createHash } from 'node:crypto';

import type { Precondition } from '../../data/collections/collection-service.js';
import type { Tagged } from '../../data/collections/tagged.js';
import { type MaybePromise, thenMaybe } from '@items/conventions';
import { headOf, pathOf, PLAIN_HEAD, type RequestHead } from '../request/request-head.js';
import { answerConditionally, preconditionOf } from '../request/conditional.js';
import { queryOf } from '../request/query.js';
import { linkTarget, type ListRequest, type ListRules } from '@items/paging';
import type { IdempotentCreation, RepeatableRequest } from '../../data/idempotency/idempotency.js';
import type { Origin } from '../../data/database/origin.js';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { listRequestOf } from './list-query.js';
import { JsonText } from './json-text.js';
import { noteReadsBody } from './reads-body.js';
import { createdResponse, pageResponse, type ServedPage, stateResponse, writtenResponse } from './responses.js';

/** A request and its answer, in the terms of SPEC §4: what controllers need of HTTP. RFC 9110 §3.4 */
export class HttpExchange {
  private linkTarget: string | undefined;

  constructor(
    /** The framework's own, for what stands in no other member; its `body` is not read. */
    readonly request: FastifyRequest,
    protected readonly reply: FastifyReply,
    private readonly head: RequestHead,
  ) {}

  /** Of the request, without its query; the same for each spelling of it. RFC 9110 §4.2.3 */
  get path(): string {
    return pathOf(this.request);
  }

  /** The `If-Match` and `If-None-Match` of a write. RFC 9110 §13.1 */
  get precondition(): Precondition {
    return preconditionOf(this.head.conditions);
  }

  /** @throws {InvalidQueryError} 400 @throws {InvalidCursorError} 400 */
  listRequest(rules: ListRules): ListRequest {
    const query = listRequestOf(this.request, this.path, rules);
    this.linkTarget = query.linkTarget;
    return query.request;
  }

  /**
   * The `Idempotency-Key` of a POST, with all that tells a repetition from another request. SPEC §4.4
   * It is the caller's: of a user, so that it survives a refresh and a new login, where the application says so.
   * @param callerId of the caller, where the request itself does not say so.
   */
  repeatable(body: object, callerId?: string): RepeatableRequest | undefined {
    return repeatableOf(this.request, this.head, body, callerId);
  }

  /** As {@link pageResponse} */
  list(page: MaybePromise<ServedPage>): MaybePromise<object> {
    return thenMaybe(page, (served) => {
      const target = this.linkTarget ?? linkTarget(this.path, queryOf(this.request));
      return asJson(served, pageResponse(this.reply, served, target));
    });
  }

  /** As {@link stateResponse} */
  tagged<Resource>(state: MaybePromise<Tagged<Resource>>): MaybePromise<Resource | undefined> {
    return thenMaybe(state, (tagged) => asJson(tagged, stateResponse(this.reply, this.head.conditions, tagged)));
  }

  /** The same for a document or an asset, which a proxy may compress. */
  document<Body>(etag: string, body: Body): Body | undefined {
    return answerConditionally(this.head.conditions, this.reply, etag, () => body);
  }

  /** As {@link writtenResponse} */
  replaced<Resource>(state: Tagged<Resource>): Resource {
    return asJson(state, writtenResponse(this.reply, state));
  }

  /** As {@link createdResponse} */
  created<Resource>(made: IdempotentCreation<Resource> & Tagged<Resource>): Resource {
    return asJson(made, createdResponse(this.reply, made));
  }
}

/** Nest sends a string as text: `JsonText` marks one that is JSON already. */
function asJson<Body>(source: object, body: Body | string): Body {
  return (typeof body === 'string' && 'json' in source ? new JsonText(body) : body) as Body;
}

/**
 * The `Idempotency-Key` of a POST, with all that tells a repetition from another request; undefined without one. SPEC §4.4
 * @param callerId of whom the key is.
 */
export function repeatableOf(
  request: FastifyRequest,
  { idempotencyKey: key }: RequestHead,
  body: object,
  callerId = request.callerId,
): RepeatableRequest | undefined {
  if (key === undefined) return undefined;
  const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
  return { callerId, route: pathOf(request), key, fingerprint, basePath: request.server.basePath };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose `Idempotency-Key` the request has, and whose writes its reads show; empty where an application tells no callers apart. */
    readonly callerId: string;
    /** Who makes the changes that it asks for; undefined where an application does not say so. */
    readonly origin: Origin | undefined;
  }
}

/** Makes the decorator that gives a handler its exchange, or one with more of an application's own in it. */
export function exchangeDecorator(
  Kind: new (request: FastifyRequest, reply: FastifyReply, head: RequestHead) => HttpExchange,
): (query?: 'with query') => ParameterDecorator {
  const withExchange = createParamDecorator((query: 'with query' | undefined, context: ExecutionContext) => {
    const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
    return new Kind(request, reply, query === undefined ? headOf(request) : PLAIN_HEAD);
  });
  return (query) => (controller, name, index) => {
    const handler: unknown = name === undefined ? undefined : Reflect.get(controller, name);
    if (typeof handler !== 'function') throw new Error('@Exchange() belongs before a parameter of a method.');
    noteReadsBody(handler);
    withExchange(query)(controller, name, index);
  };
}

/**
 * Gives a handler its {@link HttpExchange}. Unless it is `'with query'`, the route takes no query parameters.
 * @throws what {@link headOf} throws.
 */
export const Exchange = exchangeDecorator(HttpExchange);
