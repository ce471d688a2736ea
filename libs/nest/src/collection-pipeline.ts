import { Readable } from 'node:stream';

import type { CollectionDefinition, CollectionService, Identified, ParentKeys } from '@items/collections';
import { type MaybePromise, thenMaybe, isPromise, JsonText, MAX_BODY_BYTES } from '@items/conventions';
import { validate } from '@items/fields';
import { headOf, inPieces, LIST_HEAD, readJson } from '@items/http';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';

import { HttpExchange } from './http-exchange.js';

/** Says whose members the path of a nested collection means. */
export interface ParentOfRequest {
  /**
   * Of the members that are listed, read, replaced or removed.
   * @param members whether a parent that is gone has left any.
   * @throws {ResourceNotFoundError} 404: there is no such parent.
   */
  keysOf(request: FastifyRequest, members: MembersOfParent): Promise<ParentKeys>;
  /** Of a member that is to be made. @throws as {@link keysOf} */
  keysForNew(request: FastifyRequest): Promise<ParentKeys>;
}

/** As much of a nested collection as tells whether a parent has any members. */
export interface MembersOfParent {
  hasAny(parent: ParentKeys): Promise<boolean>;
}

/** The handlers of a collection's routes. */
export type CollectionHandlers = Readonly<Record<'list' | 'create' | 'get' | 'replace' | 'remove', RouteHandlerMethod>>;

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The way of a request through a collection: the hooks have identified its caller, counted it and let it in; here its head
 * and body are read and judged, the collection acts, and the response is sent. SPEC §1.3, §4
 * @param parents of a nested collection.
 */
export function collectionPipeline<Resource extends Identified, Input extends object, Hidden>(
  { dto, ...rules }: CollectionDefinition<Resource, Input, Hidden>,
  members: CollectionService<Resource, Input, Hidden>,
  parents?: ParentOfRequest,
): CollectionHandlers {
  const parentOf = (request: FastifyRequest): MaybePromise<ParentKeys | undefined> => parents?.keysOf(request, members);
  const inputOf = async (request: FastifyRequest, reply: FastifyReply): Promise<Input> =>
    validate<Input>(dto, await readJson(request, reply, MAX_BODY_BYTES));

  return {
    list(request, reply) {
      const exchange = new HttpExchange(request, reply, LIST_HEAD);
      const asked = exchange.listRequest(rules);
      const page = thenMaybe(parentOf(request), (parent) => members.list(asked, exchange.path, parent));
      return send(reply, exchange.list(page));
    },

    get(request, reply) {
      const exchange = new HttpExchange(request, reply, headOf(request));
      const found = thenMaybe(parentOf(request), (parent) =>
        members.get(idOf(request), parent, () => request.callerId),
      );
      return send(reply, exchange.tagged(found));
    },

    async create(request, reply) {
      const exchange = new HttpExchange(request, reply, headOf(request));
      const input = await inputOf(request, reply);
      const repeatable = exchange.repeatable(input);
      const parent = await parents?.keysForNew(request);
      const made = await members.create(input, exchange.path, repeatable, parent, request.origin);
      return json(reply, exchange.created(made));
    },

    async replace(request, reply) {
      const exchange = new HttpExchange(request, reply, headOf(request));
      const input = await inputOf(request, reply);
      const parent = await parentOf(request);
      const { precondition } = exchange;
      const replaced = await members.replace(idOf(request), input, precondition, parent, request.origin);
      return json(reply, exchange.replaced(replaced));
    },

    async remove(request, reply) {
      const exchange = new HttpExchange(request, reply, headOf(request));
      await members.remove(idOf(request), exchange.precondition, await parentOf(request), request.origin);
      reply.code(204);
    },
  };
}

function idOf({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id;
}

/** Fastify sends what a promise gives, and waits for `reply.send` where a handler returns nothing. */
function send(reply: FastifyReply, body: MaybePromise<object | undefined>): unknown {
  if (isPromise(body)) return body.then((known) => json(reply, known));
  reply.send(json(reply, body));
  return undefined;
}

/** @returns what Fastify is to send: the text of the body, the pieces of a long one, or nothing. */
function json(reply: FastifyReply, body: object | undefined): string | Readable | undefined {
  if (body === undefined || body instanceof Readable) return body;
  reply.header('content-type', JSON_TYPE);
  return inPieces(reply, body instanceof JsonText ? body.text : JSON.stringify(body));
}
