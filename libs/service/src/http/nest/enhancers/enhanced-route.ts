import type { ApplicationConfig } from '@nestjs/core';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';

import type { EdgeAdapter } from '../edge-adapter.js';
import type { RouteSteps } from '../collection-pipeline.js';
import { toException } from './exceptions.js';
import { throwFaultAfterGuards } from '../fault-after-guards.js';
import { textOf } from '../responses.js';
import { bodyForInterceptors } from './emitted-body.js';

export interface EnhancerKinds {
  readonly guards: boolean;
  readonly interceptors: boolean;
  readonly pipes: boolean;
  readonly filters: boolean;
}

/** Number of filters that the service adds: its error filter. */
const OWN_FILTERS = 1;

export function globalKinds(config: ApplicationConfig): EnhancerKinds {
  return {
    guards: config.getGlobalGuards().length + config.getGlobalRequestGuards().length > 0,
    interceptors: config.getGlobalInterceptors().length + config.getGlobalRequestInterceptors().length > 0,
    pipes: config.getGlobalPipes().length + config.getGlobalRequestPipes().length > 0,
    filters: config.getGlobalFilters().length + config.getGlobalRequestFilters().length > OWN_FILTERS,
  };
}

/** A Nest function that runs enhancers around the handler of a route. */
export type Target = (...args: unknown[]) => Promise<unknown>;

export type RouteContexts = Readonly<Record<keyof EnhancerKinds, Target>>;

interface RouteEnhancement {
  readonly kinds: EnhancerKinds;
  readonly contextsOf: (request: FastifyRequest) => Promise<RouteContexts>;
  readonly adapter: EdgeAdapter;
}

/**
 * The step that the handler method runs at Nest's next call. Nest calls the method once per kind of enhancer (filters,
 * guards, interceptors), each time for another step.
 */
const nextSteps = new WeakMap<FastifyRequest, () => unknown>();

/** Called by each method of a `HandlerClass`. */
export function runStep(request: FastifyRequest): unknown {
  return nextSteps.get(request)?.();
}

function through(target: Target, request: FastifyRequest, reply: FastifyReply, step: () => unknown): Promise<unknown> {
  nextSteps.set(request, step);
  return target(request, reply);
}

/** Runs a route in the order guards, preparation, interceptors, pipes, operation, with filters around all steps. */
export function enhancedHandler<Prepared, Result>(
  { prepare, pipe, parentOf, operate, respond }: RouteSteps<Prepared, Result>,
  { kinds, contextsOf, adapter }: RouteEnhancement,
): RouteHandlerMethod {
  const work = async (request: FastifyRequest, reply: FastifyReply, contexts: RouteContexts): Promise<unknown> => {
    if (kinds.guards) await through(contexts.guards, request, reply, () => undefined);
    throwFaultAfterGuards(request);
    const prepared = await prepare(request, reply);
    const operation = async (): Promise<object | string | undefined> => {
      const piped = kinds.pipes && pipe ? await pipe(request, prepared, contexts.pipes) : prepared;
      return respond(reply, await operate(request, piped, await parentOf?.(request)), piped);
    };
    if (!kinds.interceptors) return textOf(reply, await operation());
    const emitted = await through(contexts.interceptors, request, reply, async () => {
      const body = await operation();
      return bodyForInterceptors(reply, typeof body === 'string' ? JSON.parse(body) : body);
    });
    adapter.reply(reply, emitted);
    return reply;
  };
  return async (request, reply) => {
    const contexts = await contextsOf(request);
    if (!kinds.filters) return work(request, reply, contexts);
    let body: unknown;
    try {
      body = await through(contexts.filters, request, reply, () =>
        work(request, reply, contexts).catch((error: unknown) => {
          throw toException(error, reply);
        }),
      );
    } catch (error) {
      // A filter that sends the response returns nothing. Nest treats that as an uncaught error.
      if (reply.sent) return reply;
      throw error;
    }
    // A filter may return the body of the response.
    return body === reply ? reply : textOf(reply, body as object | string | undefined);
  };
}
