import { createHash } from 'node:crypto';

import type { Precondition } from '../../data/collections/write-options.js';
import type { Created, Tagged } from '../../data/collections/tagged.js';
import { type MaybePromise, thenMaybe } from '@items/conventions';
import { headOf, pathOf, PLAIN_HEAD, type RequestHead } from '../request/request-head.js';
import { respondConditionally } from '../request/conditional.js';
import { queryOf } from '../request/query.js';
import { linkTarget, type ListRequest, type ListRules } from '@items/paging';
import type { RepeatableRequest } from '../../data/idempotency/idempotency.js';
import type { Origin } from '../../data/database/origin.js';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { listRequestOf } from './list-query.js';
import { handlerAt, ReadsBody } from './json-body.js';
import {
  createdResponse,
  JsonText,
  pageResponse,
  type ServedPage,
  stateResponse,
  writtenResponse,
} from './responses.js';

/** A request and its response, with the HTTP parts of SPEC §4 that controllers need. RFC 9110 §3.4 */
export class CollectionExchange {
  private linkTarget: string | undefined;

  constructor(
    /** The Fastify request, for data that this class does not expose. Its `body` is not parsed. */
    readonly request: FastifyRequest,
    protected readonly reply: FastifyReply,
    private readonly head: RequestHead,
  ) {}

  /** Path without the query, normalized. RFC 9110 §4.2.3 */
  get path(): string {
    return pathOf(this.request);
  }

  /** Checks `If-Match` and `If-None-Match` of a write. RFC 9110 §13.1 */
  get precondition(): Precondition {
    return this.head.precondition;
  }

  /** @throws {InvalidQueryError} 400 @throws {InvalidCursorError} 400 */
  listRequest(rules: ListRules): ListRequest {
    const query = listRequestOf(this.request, this.path, rules);
    this.linkTarget = query.linkTarget;
    return query.request;
  }

  /**
   * Returns the `Idempotency-Key` of a POST with the data that identifies a repetition. SPEC §4.4
   * @param callerId the owner of the key, such as a user id, which survives a token refresh and a new login. Default:
   *   `callerId` of the request.
   */
  repeatable(body: object, callerId?: string): RepeatableRequest | undefined {
    return repeatableOf(this.request, this.head, body, callerId);
  }

  list(page: MaybePromise<ServedPage>): MaybePromise<object> {
    return thenMaybe(page, (served) => {
      const target = this.linkTarget ?? linkTarget(this.path, queryOf(this.request));
      return asJson(served, pageResponse(this.reply, served, target));
    });
  }

  tagged<Resource>(state: MaybePromise<Tagged<Resource>>): MaybePromise<Resource | undefined> {
    return thenMaybe(state, (tagged) => asJson(tagged, stateResponse(this.reply, this.head.conditions, tagged)));
  }

  /**
   * Responds with a body that proxies may compress, unlike {@link tagged}. @returns undefined if the response is 304.
   */
  document<Body>(etag: string, body: Body): Body | undefined {
    return respondConditionally(this.head.conditions, this.reply, etag, () => body);
  }

  replaced<Resource>(state: Tagged<Resource>): Resource {
    return asJson(state, writtenResponse(this.reply, state));
  }

  created<Resource>(made: Created<Resource>): Resource {
    return asJson(made, createdResponse(this.reply, made));
  }
}

/** Wraps JSON text, because Nest sends a string as plain text. */
function asJson<Body>(source: object, body: Body | string): Body {
  return (typeof body === 'string' && 'json' in source ? new JsonText(body) : body) as Body;
}

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
    /**
     * Owner of the `Idempotency-Key`. Reads of this owner include all its writes. Empty if the app does not identify
     * callers.
     */
    readonly callerId: string;
    readonly origin: Origin | undefined;
  }
}

/** @param Kind class to inject: an app may pass a subclass. */
export function exchangeDecorator(
  Kind: new (request: FastifyRequest, reply: FastifyReply, head: RequestHead) => CollectionExchange,
): (query?: 'with query') => ParameterDecorator {
  const withExchange = createParamDecorator((query: 'with query' | undefined, context: ExecutionContext) => {
    const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
    return new Kind(request, reply, query === undefined ? headOf(request) : PLAIN_HEAD);
  });
  return (query) => (controller, name, index) => {
    Reflect.defineMetadata(ReadsBody.KEY, {}, handlerAt(controller, name, '@Exchange()'));
    withExchange(query)(controller, name, index);
  };
}

/**
 * Injects the {@link CollectionExchange}. The route accepts query parameters only if the argument is `'with query'`.
 * @throws the errors of {@link headOf}.
 */
export const InjectCollectionExchange = exchangeDecorator(CollectionExchange);
