import type { ExecutionContext, Type } from '@nestjs/common';
import {
  CUSTOM_ROUTE_ARGS_METADATA,
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import type { FastifyReply, FastifyRequest } from 'fastify';

interface Parameter {
  readonly index: number;
  readonly data?: unknown;
  readonly factory?: (data: unknown, context: ExecutionContext) => unknown;
}

/** Values of `RouteParamtypes` that a plain controller may use. */
const REQUEST = '0';
const RESPONSE = '1';
const PARAM = '5';

export interface RouteArguments {
  /** Whether the handler takes `@Res()` without `passthrough`. */
  readonly sendsItself: boolean;
  readonly of: (context: ExecutionContext) => Promise<unknown[]>;
}

/** @throws {Error} a parameter has a decorator that a plain controller does not support. */
export function routeArguments(controller: Type, method: string): RouteArguments {
  const stored = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<string, Parameter>;
  const passesThrough = Reflect.getMetadata(RESPONSE_PASSTHROUGH_METADATA, controller, method) === true;
  const readers = Object.entries(stored).map(([key, parameter]) => {
    const read = readerOf(key, parameter, `${controller.name}.${method}()`);
    return { index: parameter.index, read, isCustom: parameter.factory !== undefined };
  });
  const takesResponse = Object.keys(stored).some((key) => key.startsWith(`${RESPONSE}:`));
  return {
    sendsItself: takesResponse && !passesThrough,
    of: async (context) => {
      const values: unknown[] = [];
      // Start all parameters before awaiting one, so that each rejection has a handler.
      await Promise.all(
        readers.map(async ({ index, read, isCustom }) => {
          // A Fastify reply has a `then` that waits for its end, so await custom parameters only.
          values[index] = isCustom ? await read(context) : read(context);
        }),
      );
      return values;
    },
  };
}

function readerOf(key: string, { data, factory }: Parameter, name: string): (context: ExecutionContext) => unknown {
  const [type = ''] = key.split(':');
  if (type.endsWith(CUSTOM_ROUTE_ARGS_METADATA) && factory !== undefined) return (context) => factory(data, context);
  if (type === REQUEST) return (context) => context.switchToHttp().getRequest<FastifyRequest>();
  if (type === RESPONSE) return (context) => context.switchToHttp().getResponse<FastifyReply>();
  if (type === PARAM) {
    return (context) => {
      const params = context.switchToHttp().getRequest<FastifyRequest>().params as Record<string, string>;
      return typeof data === 'string' ? params[data] : params;
    };
  }
  throw new Error(`${name} of a plain controller has a parameter that only ordinary controllers support.`);
}
