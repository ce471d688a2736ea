import type { CollectionDefinition, Identified, Method } from '../../data/definition/collection.js';
import type { CollectionService } from '../../data/collections/collection-service.js';
import type { ParentKeys } from '../../data/definition/parent-keys.js';
import { isPromise, MAX_BODY_BYTES, type MaybePromise, thenMaybe } from '@items/conventions';
import { validate } from '@items/fields';
import { headOf, pathOf } from '../request/request-head.js';
import { type BodyLimits, readJson } from '../body/read-body.js';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';

import { repeatableOf } from './http-exchange.js';
import { listRequestOf } from './list-query.js';
import { createdResponse, pageResponse, stateResponse, textOf, writtenResponse } from './responses.js';

export interface ParentOfRequest {
  /**
   * @param members a deleted parent that still has some is accepted.
   * @throws {ResourceNotFoundError} 404: the parent does not exist.
   */
  keysOf(request: FastifyRequest, members: MembersOfParent): Promise<ParentKeys>;
  /** Finds the parent of a new member. @throws {ResourceNotFoundError} 404: the parent does not exist. */
  keysForNew(request: FastifyRequest): Promise<ParentKeys>;
}

export interface MembersOfParent {
  hasAny(parent: ParentKeys): Promise<boolean>;
}

export type CollectionHandlers = Readonly<Record<Method, RouteHandlerMethod>>;

const INPUT: BodyLimits = { maxBytes: MAX_BODY_BYTES, isValidated: true };

/**
 * Makes the handlers of a collection. When they run, the hooks have authenticated and counted the request. A handler
 * validates head and body, calls the collection, and sends the response. SPEC §1.3, §4
 * @param parents only if the collection is nested.
 */
export function collectionPipeline<Resource extends Identified, Input extends object, Hidden>(
  { dto, ...rules }: CollectionDefinition<Resource, Input, Hidden>,
  members: CollectionService<Resource, Input, Hidden>,
  parents?: ParentOfRequest,
): CollectionHandlers {
  return {
    list(request, reply) {
      const path = pathOf(request);
      const { request: asked, linkTarget } = listRequestOf(request, path, rules);
      const page = thenMaybe(parents?.keysOf(request, members), (parent) => members.list(asked, path, parent));
      return respond(
        reply,
        thenMaybe(page, (served) => pageResponse(reply, served, linkTarget)),
      );
    },

    get(request, reply) {
      const { conditions } = headOf(request);
      const found = thenMaybe(parents?.keysOf(request, members), (parent) =>
        members.get(idOf(request), parent, () => request.callerId),
      );
      return respond(
        reply,
        thenMaybe(found, (state) => stateResponse(reply, conditions, state)),
      );
    },

    async create(request, reply) {
      const head = headOf(request);
      const input = validate<Input>(dto, await readJson(request, reply, INPUT), request.server.enumOverrides);
      const repeatable = head.idempotencyKey === undefined ? undefined : repeatableOf(request, head, input);
      const parent = await parents?.keysForNew(request);
      const made = await members.create(input, pathOf(request), repeatable, parent, request.origin);
      return textOf(reply, createdResponse(reply, made));
    },

    async replace(request, reply) {
      const { precondition } = headOf(request);
      const input = validate<Input>(dto, await readJson(request, reply, INPUT), request.server.enumOverrides);
      const parent = await parents?.keysOf(request, members);
      const replaced = await members.replace(idOf(request), input, precondition, parent, request.origin);
      return textOf(reply, writtenResponse(reply, replaced));
    },

    async remove(request, reply) {
      const { precondition } = headOf(request);
      const parent = await parents?.keysOf(request, members);
      await members.remove(idOf(request), precondition, parent, request.origin);
      reply.code(204);
    },
  };
}

export function idOf({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id;
}

/** Fastify sends the value of a promise. If a handler returns undefined, Fastify waits for `reply.send`. */
function respond(reply: FastifyReply, body: MaybePromise<object | string | undefined>): unknown {
  if (isPromise(body)) return body.then((known) => textOf(reply, known));
  reply.send(textOf(reply, body));
  return undefined;
}
