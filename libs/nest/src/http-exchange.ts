import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

import type { Precondition, Tagged } from '@items/collections';
import { type MaybePromise, HEADER, JsonPieces, type JsonText, thenMaybe } from '@items/conventions';
import {
  answerConditionally,
  headOf,
  LIST_HEAD,
  queuedAt,
  preconditionOf,
  queryOf,
  type RequestHead,
  streamOf,
} from '@items/http';
import { linkHeaderTo, linkTarget, type ListRequest, type ListRules, type PageLinks } from '@items/paging';
import type { IdempotentCreation, Origin, RepeatableRequest } from '@items/store';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { listQueryOf } from './list-query.js';
import { noteReadsBody } from './reads-body.js';

/** A page of a list, and where it leads. */
export interface ServedPage {
  readonly body: object;
  /** The same as it is sent, where that is known. */
  readonly json?: JsonText | JsonPieces;
  readonly links: PageLinks;
}

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
    const url = this.request.raw.url ?? '';
    const end = url.indexOf('?');
    const path = end === -1 ? url : url.slice(0, end);
    return path.includes('%') ? path.split('/').map(respelled).join('/') : path;
  }

  /** The `If-Match` and `If-None-Match` of a write. RFC 9110 §13.1 */
  get precondition(): Precondition {
    return preconditionOf(this.head.conditions);
  }

  /** @throws {InvalidQueryError} 400 @throws {InvalidCursorError} 400 */
  listRequest(rules: ListRules): ListRequest {
    const query = listQueryOf(this.request.raw.url ?? '', this.path, rules);
    this.linkTarget = query.linkTarget;
    const { request } = this;
    const { credentialId: caller } = request;
    return { ...query.request, caller, reader: () => request.callerId, arrivedAtMs: queuedAt(request.raw) };
  }

  /**
   * The `Idempotency-Key` of a POST, with all that tells a repetition from another request. SPEC §4.4
   * It is the caller's: of a user, so that it survives a refresh and a new login, where the application says so.
   * @param callerId of the caller, where the request itself does not say so.
   */
  repeatable(body: object, callerId = this.request.callerId): RepeatableRequest | undefined {
    const key = this.head.idempotencyKey;
    if (key === undefined) return undefined;
    const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
    return { callerId, route: this.path, key, fingerprint };
  }

  /** 200 with the page and its `Link`; a long page is a stream of pieces, without `Content-Length`. RFC 8288 */
  list(page: MaybePromise<ServedPage>): MaybePromise<object> {
    return thenMaybe(page, (served) => {
      const target = this.linkTarget ?? linkTarget(this.path, queryOf(this.request));
      const link = linkHeaderTo(target, served.links);
      if (link !== undefined) this.reply.header('link', link);
      const json = served.json ?? served.body;
      return json instanceof JsonPieces ? this.stream(json) : json;
    });
  }

  private stream({ pieces }: JsonPieces): Readable {
    this.reply.header('content-type', 'application/json; charset=utf-8');
    return streamOf(this.request.method === 'HEAD' ? [] : pieces, this.reply.raw);
  }

  /**
   * 200 with the `ETag`, or 304 where the client has this state. RFC 9110 §13
   * @returns what is to be sent: the resource, or in its place the JSON that it is.
   */
  tagged<Resource>(state: MaybePromise<Tagged<Resource>>): MaybePromise<Resource | undefined> {
    return thenMaybe(state, (tagged) =>
      answerConditionally(this.head.conditions, this.reply, tagged.etag, () => sent(tagged)),
    );
  }

  /** 200 with the `ETag` of what was written. @returns as {@link tagged} */
  replaced<Resource>(state: Tagged<Resource>): Resource {
    this.reply.header('etag', state.etag);
    return sent(state);
  }

  /** 201 with `Location` and `ETag`. SPEC §4 rule 1. @returns as {@link tagged} */
  created<Resource>(made: IdempotentCreation<Resource> & Tagged<Resource>): Resource {
    this.reply.code(201).header('location', made.location).header('etag', made.etag);
    if (made.replayed) this.reply.header(HEADER.idempotentReplayed, 'true');
    return sent(made);
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose `Idempotency-Key` the request has, and whose writes its reads show; empty where an application tells no callers apart. */
    readonly callerId: string;
    /** Which credential it has; empty where an application tells none apart. */
    readonly credentialId: string;
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
    return new Kind(request, reply, query === undefined ? headOf(request) : LIST_HEAD);
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

/** The JSON that a resource is, where that is known, in its place. */
function sent<Resource>(state: Tagged<Resource>): Resource {
  return (state.json as Resource | undefined) ?? state.resource;
}

/** A segment of a path that the router has decoded, with as few escapes as can be. */
function respelled(segment: string): string {
  return encodeURIComponent(decodeURIComponent(segment));
}
