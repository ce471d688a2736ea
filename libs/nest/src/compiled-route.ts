import { type Eventual, isPromise, JsonText, andThen } from '@items/conventions';
import { sendText } from '@items/http';
import type { CanActivate, ExceptionFilter, Type } from '@nestjs/common';
import { ForbiddenException } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, type Observable } from 'rxjs';

import type { RouteMetadata } from './handler-metadata.js';

/** A method of a controller. */
export interface ControllerMethod {
  readonly metadata: RouteMetadata;
  readonly controller: object;
  readonly type: Type;
  readonly handler: (...args: unknown[]) => unknown;
}

/** The same, with all that stands before it and after it. */
export interface RouteParts extends ControllerMethod {
  /** Those of the whole application, in their order. */
  readonly guards: readonly CanActivate[];
  readonly filter: ExceptionFilter;
  /** As Nest's adapter sends what is no JSON: a text, a stream. */
  readonly reply: (reply: FastifyReply, body: unknown, status: number) => unknown;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * One function for what Nest would put together anew for each request: guards, parameters, the handler, the answer, and
 * the filter for what any of them throws. Nothing in it makes a promise where there is nothing to wait for.
 */
export function compileRoute({
  metadata,
  controller,
  type,
  handler,
  guards,
  filter,
  reply: send,
}: RouteParts): Handler {
  const { parameters, status } = metadata;

  const allowed = (context: ExecutionContextHost, index = 0): Eventual<void> => {
    const guard = guards[index];
    if (guard === undefined) return undefined;
    return andThen(lastOf<boolean>(guard.canActivate(context)), (isAllowed) => {
      // As Nest says it.
      if (!isAllowed) throw new ForbiddenException('Forbidden resource');
      return allowed(context, index + 1);
    });
  };

  const withParameters = (context: ExecutionContextHost, args: unknown[], from = 0): Eventual<unknown[]> => {
    for (let next = from; next < parameters.length; next += 1) {
      const value = parameters[next]?.(context);
      if (isPromise(value)) {
        return andThen(value, (known) => {
          args.push(known);
          return withParameters(context, args, next + 1);
        });
      }
      args.push(value);
    }
    return args;
  };

  const answer = (reply: FastifyReply, body: unknown): void => {
    if (body instanceof JsonText) sendText(reply, body.text);
    else if (isPlain(body)) sendText(reply, JSON.stringify(body));
    else if (body === undefined && (reply.statusCode === 304 || reply.statusCode === 204)) sendText(reply, undefined);
    else send(reply, body, reply.statusCode);
  };

  return (request, reply) => {
    const context = new ExecutionContextHost([request, reply], type, handler);
    const fail = (thrown: unknown): void => {
      filter.catch(thrown, context);
    };
    try {
      const admitted = allowed(context);
      const body = andThen(admitted, () => {
        reply.code(status);
        return andThen(withParameters(context, []), (args) => lastOf(handler.apply(controller, args)));
      });
      if (isPromise(body)) {
        // What the filter throws would be nobody's: Fastify answers it, as it does what is thrown at once.
        body
          .then((known) => answer(reply, known))
          .catch(fail)
          .catch((error: unknown) => reply.send(error));
      } else answer(reply, body);
    } catch (error) {
      fail(error);
    }
  };
}

/** An object that is nothing but what its JSON says. */
function isPlain(body: unknown): body is object {
  return typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype;
}

/** What was given, or the last value of an Observable: it may be promised as well. */
function lastOf<T>(given: Eventual<T> | Observable<T> | Promise<Observable<T>>): Eventual<T> {
  return andThen(given as Eventual<T | Observable<T>>, (known) => (isObservable(known) ? lastValueFrom(known) : known));
}

function isObservable<T>(value: T | Observable<T>): value is Observable<T> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { subscribe?: unknown }).subscribe === 'function'
  );
}
