import { HttpStatus, RequestMethod, type ExecutionContext, type Type } from '@nestjs/common';
import {
  CUSTOM_ROUTE_ARGS_METADATA,
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  HOST_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  RENDER_METADATA,
  ROUTE_ARGS_METADATA,
  SSE_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner } from '@nestjs/core';

/*
 * What decorators have said of handlers. Nest exports no reader of it, only the names under which it is kept; they are
 * used here alone, as seen in @nestjs/common 12.5.1.
 */

const NO_BODY = 'No body is parsed before the guards, so it is always empty: use @JsonBody(Dto).';

/** What Nest would give to handlers, and what is to be written in its place. */
const ALWAYS_EMPTY = [
  { type: RouteParamtypes.BODY, decorator: '@Body()', sentence: NO_BODY },
  { type: RouteParamtypes.RAW_BODY, decorator: '@RawBody()', sentence: NO_BODY },
  {
    type: RouteParamtypes.QUERY,
    decorator: '@Query()',
    sentence:
      "Query strings are judged strictly, so it is always empty: use @Exchange('with query') and exchange.listRequest().",
  },
];

/** Of handlers that write nothing, and of methods that are no handlers. */
const READING = [undefined, RequestMethod.GET, RequestMethod.HEAD, RequestMethod.OPTIONS];

const scanner = new MetadataScanner();

/** Whether guards of a controller's own stand before any handler that writes: only such a one takes an `Idempotency-Key`. */
export function guardsWrites(controller: Type): boolean {
  const prototype = controller.prototype as Record<string, object>;
  const handlers = methodsOf(controller).flatMap((name) => prototype[name] ?? []);
  return handlers
    .filter((handler) => !READING.includes(Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined))
    .some((handler) => [controller, handler].some((target) => Reflect.hasMetadata(GUARDS_METADATA, target)));
}

/** The first parameter of a controller's handlers that would always be empty, as a sentence; undefined for none. */
export function emptyParameterOf(controller: Type): string | undefined {
  for (const name of methodsOf(controller)) {
    // Kept as `type:index`; those of other decorators have keys of another form.
    const parameters = Object.keys(
      (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) as object | undefined) ?? {},
    );
    const found = ALWAYS_EMPTY.find(({ type }) => parameters.some((key) => key.startsWith(`${type}:`)));
    if (found !== undefined) return `${controller.name}.${name}() takes ${found.decorator}. ${found.sentence}`;
  }
  return undefined;
}

/** Gives a handler one of its parameters. */
export type ParameterOf = (context: ExecutionContext) => unknown;

/** What decorators have said of a handler that takes requests. */
export interface RouteMetadata {
  /** Of the method. */
  readonly name: string;
  /** As the router has them: `GET /items/:id`. */
  readonly routes: readonly string[];
  /** Where the handler succeeds and says nothing else. */
  readonly status: number;
  readonly parameters: readonly ParameterOf[];
  /** Whether this is all: no guard, pipe, interceptor, filter, header, redirect or the like stands around the handler. */
  readonly isPlain: boolean;
}

/** What only Nest itself does for a handler. */
const AROUND = [
  ...[GUARDS_METADATA, PIPES_METADATA, INTERCEPTORS_METADATA, EXCEPTION_FILTERS_METADATA],
  ...[HEADERS_METADATA, HOST_METADATA, REDIRECT_METADATA, RENDER_METADATA, SSE_METADATA, VERSION_METADATA],
];

/** One parameter, as a decorator has kept it. */
interface KeptParameter {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes?: readonly unknown[];
  /** Of a decorator that `createParamDecorator` has made. */
  readonly factory?: (data: unknown, context: ExecutionContext) => unknown;
}

/** The handlers of a controller that take requests. */
export function routesOf(controller: Type): readonly RouteMetadata[] {
  return methodsOf(controller).flatMap((name) => {
    const handler = Reflect.get(controller.prototype as object, name) as object;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    const parameters = parametersOf(controller, name);
    return {
      name,
      routes: pathsOf(controller).flatMap((base) =>
        pathsOf(handler).map((path) => `${RequestMethod[method]} ${joined(base, path)}`),
      ),
      status: statusOf(handler, method),
      parameters: parameters ?? [],
      isPlain:
        parameters !== undefined &&
        AROUND.every((key) => [controller, handler].every((target) => isEmpty(Reflect.getMetadata(key, target)))),
    };
  });
}

/** @returns undefined where a parameter is one that Nest alone can give. */
function parametersOf(controller: Type, name: string): readonly ParameterOf[] | undefined {
  const kept = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, KeptParameter>;
  const parameters: ParameterOf[] = [];
  for (const [key, parameter] of Object.entries(kept)) {
    const parameterOf = isEmpty(parameter.pipes) ? parameterFrom(key, parameter) : undefined;
    if (parameterOf === undefined) return undefined;
    parameters[parameter.index] = parameterOf;
  }
  // One without a decorator would be undefined: Nest knows what it gives then.
  return [...parameters].every((parameter) => parameter as unknown) ? parameters : undefined;
}

/** Kept as `type:index`; those of other decorators have keys of another form. */
function parameterFrom(key: string, { data, factory }: KeptParameter): ParameterOf | undefined {
  if (key.includes(CUSTOM_ROUTE_ARGS_METADATA)) return factory && ((context) => factory(data, context));
  if (!key.startsWith(`${String(RouteParamtypes.PARAM)}:`) || typeof data !== 'string') return undefined;
  return (context) => context.getArgByIndex<{ params: Record<string, string> }>(0).params[data];
}

function statusOf(handler: object, method: RequestMethod): number {
  const said = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
  return said ?? (method === RequestMethod.POST ? HttpStatus.CREATED : HttpStatus.OK);
}

function pathsOf(target: object): readonly string[] {
  return [(Reflect.getMetadata(PATH_METADATA, target) ?? '') as string | string[]].flat();
}

function joined(base: string, path: string): string {
  return `/${[base, path]
    .flatMap((part) => part.split('/'))
    .filter((segment) => segment !== '')
    .join('/')}`;
}

function isEmpty(kept: unknown): boolean {
  return kept === undefined || (Array.isArray(kept) && kept.length === 0);
}

/** Those that it inherits included. */
function methodsOf(controller: Type): string[] {
  return scanner.getAllMethodNames(controller.prototype as object);
}
