import type { CollectionDefinition, HasId, Method } from '../../data/definition/collection.js';
import type { CollectionService } from '../../data/collections/collection-service.js';
import type { ParentKeys } from '../../data/definition/parent-keys.js';
import { isPromise, MAX_BODY_BYTES, type MaybePromise } from '@items/conventions';
import { validate } from '@items/fields';
import { headOf, pathOf, type RequestHead } from '../request/request-head.js';
import { type BodyLimits, readJson } from '../body/read-body.js';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';

import { repeatableOf } from './collection-exchange.js';
import { listRequestOf } from './list-query.js';
import { createdResponse, pageResponse, stateResponse, textOf, writtenResponse } from './responses.js';

export interface ParentOfRequest {
  /**
   * @param members checks if a parent has members: if so, even a deleted parent is accepted.
   * @throws {ResourceNotFoundError} 404: the parent does not exist.
   */
  keysOf(request: FastifyRequest, members: MembersOfParent): Promise<ParentKeys>;
  /** Finds the parent of a new member. @throws {ResourceNotFoundError} 404: the parent does not exist. */
  keysForNew(request: FastifyRequest): Promise<ParentKeys>;
}

export interface MembersOfParent {
  hasAny(parent: ParentKeys): Promise<boolean>;
}

type CollectionHandlers = Readonly<Record<Method, RouteHandlerMethod>>;

type Pipes = (input: unknown) => Promise<unknown>;

/** The steps of a route. Nest enhancers (guards, pipes, …) run between them. */
export interface RouteSteps<Prepared, Result> {
  readonly prepare: (request: FastifyRequest, reply: FastifyReply) => MaybePromise<Prepared>;
  /** Replaces the input by the result of the pipes. Undefined for a route without input. */
  readonly pipe?: (request: FastifyRequest, prepared: Prepared, pipes: Pipes) => Promise<Prepared>;
  readonly parentOf: ((request: FastifyRequest) => Promise<ParentKeys>) | undefined;
  readonly operate: (
    request: FastifyRequest,
    prepared: Prepared,
    parent: ParentKeys | undefined,
  ) => MaybePromise<Result>;
  /** Sets status and headers, and returns the body. */
  readonly respond: (reply: FastifyReply, result: Result, prepared: Prepared) => object | string | undefined;
}

export type ServeRoute = <Prepared, Result>(method: Method, steps: RouteSteps<Prepared, Result>) => RouteHandlerMethod;

interface PreparedInput<Input> {
  readonly head: RequestHead;
  /** Input before the pipes. It identifies repeated requests. */
  readonly given: Input;
  readonly input: Input;
}

const INPUT: BodyLimits = { maxBytes: MAX_BODY_BYTES, isValidated: true };

/**
 * Makes the handlers of a collection. When they run, the hooks have authenticated and counted the request. SPEC §1.3,
 * §4
 * @param parents only if the collection is nested.
 */
export function collectionPipeline<Resource extends HasId, Input extends object, Hidden>(
  { dto, ...rules }: CollectionDefinition<Resource, Input, Hidden>,
  members: CollectionService<Resource, Input, Hidden>,
  parents?: ParentOfRequest,
  serve: ServeRoute = serveWithoutEnhancers,
): CollectionHandlers {
  const written: Pick<RouteSteps<PreparedInput<Input>, unknown>, 'prepare' | 'pipe'> = {
    prepare: async (request, reply) => {
      const head = headOf(request);
      const input = validate<Input>(dto, await readJson(request, reply, INPUT), request.server.enumOverrides);
      return { head, given: input, input };
    },
    pipe: async (request, prepared, pipes) => ({
      ...prepared,
      input: validate<Input>(dto, await pipes(prepared.input), request.server.enumOverrides),
    }),
  };
  const parentOf = parents && ((request: FastifyRequest) => parents.keysOf(request, members));
  return {
    list: serve('list', {
      parentOf,
      prepare: (request) => listRequestOf(request, pathOf(request), rules),
      operate: (_request, { request: listRequest, path }, parent) => members.list(listRequest, path, parent),
      respond: (reply, page, { linkTarget }) => pageResponse(reply, page, linkTarget),
    }),
    get: serve('get', {
      parentOf,
      prepare: headOf,
      operate: (request, _head, parent) => members.get(idOf(request), parent, () => request.callerId),
      respond: (reply, state, { conditions }) => stateResponse(reply, conditions, state),
    }),
    create: serve('create', {
      ...written,
      parentOf: parents && ((request) => parents.keysForNew(request)),
      operate: (request, { head, given, input }, parent) => {
        const repeatable = head.idempotencyKey === undefined ? undefined : repeatableOf(request, head, given);
        return members.create(input, pathOf(request), repeatable, parent, request.origin);
      },
      respond: createdResponse<Resource>,
    }),
    replace: serve('replace', {
      ...written,
      parentOf,
      operate: (request, { head: { precondition }, input }, parent) =>
        members.replace(idOf(request), input, precondition, parent, request.origin),
      respond: writtenResponse<Resource>,
    }),
    remove: serve('remove', {
      parentOf,
      prepare: headOf,
      operate: (request, { precondition }, parent) =>
        members.remove(idOf(request), precondition, parent, request.origin),
      respond: (reply) => {
        reply.code(204);
        return undefined;
      },
    }),
  };
}

function idOf({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id;
}

function serveWithoutEnhancers<Prepared, Result>(
  _method: Method,
  { prepare, pipe, parentOf, operate, respond }: RouteSteps<Prepared, Result>,
): RouteHandlerMethod {
  if (pipe !== undefined)
    return async (request, reply) => {
      const prepared = await prepare(request, reply);
      const parent = parentOf && (await parentOf(request));
      return textOf(reply, respond(reply, await operate(request, prepared, parent), prepared));
    };
  // On a route without input, preparation and SQLite reads are synchronous, so no promise is created. Returning
  // undefined tells Fastify to wait for `reply.send`.
  return (request, reply) => {
    const prepared = prepare(request, reply) as Prepared;
    const result =
      parentOf === undefined
        ? operate(request, prepared, undefined)
        : parentOf(request).then((parent) => operate(request, prepared, parent));
    if (isPromise(result)) return result.then((known) => textOf(reply, respond(reply, known, prepared)));
    reply.send(textOf(reply, respond(reply, result, prepared)));
    return undefined;
  };
}
