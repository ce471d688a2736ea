import type { CollectionDefinition, Identified, Method } from '../../data/definition/collection.js';
import type { CollectionService } from '../../data/collections/collection-service.js';
import type { ParentKeys } from '../../data/definition/parent-keys.js';
import { isPromise, MAX_BODY_BYTES, type MaybePromise, thenMaybe } from '@items/conventions';
import { validate } from '@items/fields';
import { headOf, pathOf, type RequestHead } from '../request/request-head.js';
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

type Pipes = (input: unknown) => Promise<unknown>;

/** The steps of a route. Enhancers of Nest run between them. */
export interface RouteSteps<Prepared, Result> {
  /** Validates head and body. */
  readonly prepare: (request: FastifyRequest, reply: FastifyReply) => MaybePromise<Prepared>;
  /** Replaces the input by the result of the pipes. */
  readonly pipe?: (request: FastifyRequest, prepared: Prepared, pipes: Pipes) => Promise<Prepared>;
  readonly operate: (request: FastifyRequest, prepared: Prepared) => MaybePromise<Result>;
  /** Sets status and headers, and returns the body. */
  readonly respond: (reply: FastifyReply, result: Result, prepared: Prepared) => object | string | undefined;
}

/** Makes a handler of the steps. */
export type ServeRoute = <Prepared, Result>(method: Method, steps: RouteSteps<Prepared, Result>) => RouteHandlerMethod;

interface PreparedInput<Input> {
  readonly head: RequestHead;
  /** As the client sent it: repetitions are recognized by it. */
  readonly given: Input;
  readonly input: Input;
}

const INPUT: BodyLimits = { maxBytes: MAX_BODY_BYTES, isValidated: true };

/**
 * Makes the handlers of a collection. When they run, the hooks have authenticated and counted the request. SPEC §1.3,
 * §4
 * @param parents only if the collection is nested.
 */
export function collectionPipeline<Resource extends Identified, Input extends object, Hidden>(
  { dto, ...rules }: CollectionDefinition<Resource, Input, Hidden>,
  members: CollectionService<Resource, Input, Hidden>,
  parents?: ParentOfRequest,
  serve: ServeRoute = serveWithoutEnhancers,
): CollectionHandlers {
  const parentOf = (request: FastifyRequest): Promise<ParentKeys> | undefined => parents?.keysOf(request, members);
  const checked = (request: FastifyRequest, body: unknown): Input =>
    validate<Input>(dto, body, request.server.enumOverrides);
  const written: Pick<RouteSteps<PreparedInput<Input>, unknown>, 'prepare' | 'pipe'> = {
    prepare: async (request, reply) => {
      const head = headOf(request);
      const input = checked(request, await readJson(request, reply, INPUT));
      return { head, given: input, input };
    },
    pipe: async (request, prepared, pipes) => ({
      ...prepared,
      input: checked(request, await pipes(prepared.input)),
    }),
  };
  return {
    list: serve('list', {
      prepare: (request) => listRequestOf(request, pathOf(request), rules),
      operate: (request, { request: asked, path }) =>
        thenMaybe(parentOf(request), (parent) => members.list(asked, path, parent)),
      respond: (reply, page, { linkTarget }) => pageResponse(reply, page, linkTarget),
    }),
    get: serve('get', {
      prepare: headOf,
      operate: (request) =>
        thenMaybe(parentOf(request), (parent) => members.get(idOf(request), parent, () => request.callerId)),
      respond: (reply, state, { conditions }) => stateResponse(reply, conditions, state),
    }),
    create: serve('create', {
      ...written,
      operate: (request, { head, given, input }) => {
        const repeatable = head.idempotencyKey === undefined ? undefined : repeatableOf(request, head, given);
        return thenMaybe(parents?.keysForNew(request), (parent) =>
          members.create(input, pathOf(request), repeatable, parent, request.origin),
        );
      },
      respond: (reply, made) => createdResponse(reply, made),
    }),
    replace: serve('replace', {
      ...written,
      operate: (request, { head, input }) =>
        thenMaybe(parentOf(request), (parent) =>
          members.replace(idOf(request), input, head.precondition, parent, request.origin),
        ),
      respond: (reply, state) => writtenResponse(reply, state),
    }),
    remove: serve('remove', {
      prepare: headOf,
      operate: (request, { precondition }) =>
        thenMaybe(parentOf(request), (parent) => members.remove(idOf(request), precondition, parent, request.origin)),
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

/** A read of a cached value or of SQLite makes no promise: `reply.send` is then called synchronously. */
function serveWithoutEnhancers<Prepared, Result>(
  _method: Method,
  { prepare, operate, respond }: RouteSteps<Prepared, Result>,
): RouteHandlerMethod {
  const finish = async (request: FastifyRequest, reply: FastifyReply, given: Promise<Prepared>): Promise<unknown> => {
    const prepared = await given;
    return textOf(reply, respond(reply, await operate(request, prepared), prepared));
  };
  return (request, reply) => {
    const prepared = prepare(request, reply);
    if (isPromise(prepared)) return finish(request, reply, prepared);
    const result = operate(request, prepared);
    if (isPromise(result)) return result.then((known) => textOf(reply, respond(reply, known, prepared)));
    reply.send(textOf(reply, respond(reply, result, prepared)));
    return undefined;
  };
}
