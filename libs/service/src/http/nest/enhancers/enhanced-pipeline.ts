import type { CollectionService } from '../../../data/collections/collection-service.js';
import type { CollectionDefinition, Identified } from '../../../data/definition/collection.js';
import { MAX_BODY_BYTES } from '@items/conventions';
import { validate } from '@items/fields';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { readJson } from '../../body/read-body.js';
import { headOf, pathOf, type RequestHead } from '../../request/request-head.js';
import { type CollectionHandlers, idOf, type ParentOfRequest } from '../collection-pipeline.js';
import { repeatableOf } from '../http-exchange.js';
import { listRequestOf } from '../list-query.js';
import { createdResponse, pageResponse, stateResponse, textOf, writtenResponse } from '../responses.js';
import type { EnhancedRoute, Target } from './enhanced-route.js';

interface Prepared<Input> {
  readonly head: RequestHead;
  readonly input: Input;
}

/**
 * Makes the handlers of `collectionPipeline()` for routes with enhancers: guards run before the body is read, pipes get
 * the validated input and interceptors wrap the operation.
 */
export function enhancedPipeline<Resource extends Identified, Input extends object, Hidden>(
  { dto, ...rules }: CollectionDefinition<Resource, Input, Hidden>,
  members: CollectionService<Resource, Input, Hidden>,
  routes: Readonly<Record<keyof CollectionHandlers, EnhancedRoute>>,
  parents?: ParentOfRequest,
): CollectionHandlers {
  const prepareInput = async (request: FastifyRequest, reply: FastifyReply): Promise<Prepared<Input>> => {
    const head = headOf(request);
    const body = await readJson(request, reply, { maxBytes: MAX_BODY_BYTES, isValidated: true });
    return { head, input: validate<Input>(dto, body, request.server.enumOverrides) };
  };
  const piped = async (request: FastifyRequest, input: Input, pipes: Target | undefined): Promise<Input> =>
    pipes === undefined ? input : validate<Input>(dto, await pipes(input), request.server.enumOverrides);
  const sent = async (reply: FastifyReply, body: Promise<unknown>): Promise<unknown> => {
    const given = await body;
    return given === reply ? reply : textOf(reply, given as object | string | undefined);
  };
  return {
    list: (request, reply) =>
      sent(
        reply,
        routes.list.run(request, reply, {
          prepare: () => listRequestOf(request, pathOf(request), rules),
          operate: async ({ request: asked, linkTarget }) => {
            const parent = await parents?.keysOf(request, members);
            return pageResponse(reply, await members.list(asked, pathOf(request), parent), linkTarget);
          },
        }),
      ),

    get: (request, reply) =>
      sent(
        reply,
        routes.get.run(request, reply, {
          prepare: () => headOf(request),
          operate: async ({ conditions }) => {
            const parent = await parents?.keysOf(request, members);
            const state = await members.get(idOf(request), parent, () => request.callerId);
            return stateResponse(reply, conditions, state);
          },
        }),
      ),

    create: (request, reply) =>
      sent(
        reply,
        routes.create.run(request, reply, {
          prepare: () => prepareInput(request, reply),
          operate: async ({ head, input: given }, pipes) => {
            const input = await piped(request, given, pipes);
            const repeatable = head.idempotencyKey === undefined ? undefined : repeatableOf(request, head, given);
            const parent = await parents?.keysForNew(request);
            const made = await members.create(input, pathOf(request), repeatable, parent, request.origin);
            return createdResponse(reply, made);
          },
        }),
      ),

    replace: (request, reply) =>
      sent(
        reply,
        routes.replace.run(request, reply, {
          prepare: () => prepareInput(request, reply),
          operate: async ({ head, input: given }, pipes) => {
            const input = await piped(request, given, pipes);
            const parent = await parents?.keysOf(request, members);
            const { precondition } = head;
            return writtenResponse(
              reply,
              await members.replace(idOf(request), input, precondition, parent, request.origin),
            );
          },
        }),
      ),

    remove: (request, reply) =>
      sent(
        reply,
        routes.remove.run(request, reply, {
          prepare: () => headOf(request),
          operate: async ({ precondition }) => {
            const parent = await parents?.keysOf(request, members);
            await members.remove(idOf(request), precondition, parent, request.origin);
            reply.code(204);
          },
        }),
      ),
  };
}
