import type { FastifyReply, FastifyRequest } from 'fastify';

import type { EdgeAdapter } from '../edge-adapter.js';
import { toException } from './api-exception.js';
import { throwFaultAfterGuards } from '../fault-after-guards.js';
import { JsonText } from '../json-text.js';
import { noteOriginal, valueOf } from './emitted-body.js';

export interface EnhancerKinds {
  readonly guards: boolean;
  readonly interceptors: boolean;
  readonly pipes: boolean;
  readonly filters: boolean;
}

/** A function of Nest that runs enhancers around the handler of a route. */
export type Target = (...args: unknown[]) => Promise<unknown>;

export interface RouteContexts {
  readonly guards: Target;
  readonly interceptors: Target;
  readonly filters: Target;
  readonly pipes: Target;
}

export interface RouteSteps<Prepared> {
  readonly prepare: () => Prepared | Promise<Prepared>;
  /** Runs inside the interceptors. @param pipes undefined if there are none. */
  readonly operate: (prepared: Prepared, pipes: Target | undefined) => unknown;
}

/** The function that the handler of a request runs next: Nest calls the handler in each of its contexts. */
const steps = new WeakMap<FastifyRequest, () => unknown>();

/** The body of each method of a class of handlers. */
export function runStep(request: FastifyRequest): unknown {
  return steps.get(request)?.();
}

export class EnhancedRoute {
  constructor(
    private readonly kinds: EnhancerKinds,
    private readonly contextsOf: (request: FastifyRequest) => Promise<RouteContexts>,
    private readonly adapter: EdgeAdapter,
  ) {}

  /**
   * Runs a request in the order guards, preparation, interceptors, pipes, operation, with filters around all of it.
   * @returns the body to send, as the operation returned it.
   */
  async run<Prepared>(request: FastifyRequest, reply: FastifyReply, route: RouteSteps<Prepared>): Promise<unknown> {
    const contexts = await this.contextsOf(request);
    const through = (target: Target, step: () => unknown): Promise<unknown> => {
      steps.set(request, step);
      return target(request, reply);
    };
    const work = async (): Promise<unknown> => {
      if (this.kinds.guards) await through(contexts.guards, () => undefined);
      throwFaultAfterGuards(request);
      const prepared = await route.prepare();
      const operate = (): unknown => route.operate(prepared, this.kinds.pipes ? contexts.pipes : undefined);
      if (!this.kinds.interceptors) return operate();
      return this.intercept(request, reply, operate, (step) => through(contexts.interceptors, step));
    };
    if (!this.kinds.filters) return work();
    try {
      return await through(contexts.filters, () => withExceptions(reply, work));
    } catch (error) {
      // A filter that sends the response returns nothing. Nest reads that as an error that no filter has caught.
      if (reply.sent) return reply;
      throw error;
    }
  }

  /** Interceptors get the body as a value, and the value that they emit is sent. */
  private async intercept(
    request: FastifyRequest,
    reply: FastifyReply,
    operate: () => unknown,
    through: (step: () => unknown) => Promise<unknown>,
  ): Promise<FastifyReply> {
    const emitted = await through(async () => {
      const body = await operate();
      const value = await valueOf(typeof body === 'string' ? new JsonText(body) : body);
      noteOriginal(request, reply, value);
      return value;
    });
    this.adapter.reply(reply, emitted);
    return reply;
  }
}

async function withExceptions(reply: FastifyReply, work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    throw toException(error, reply);
  }
}
