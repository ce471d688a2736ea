import { RequestMethod, type Type } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
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

/** Those that it inherits included. */
function methodsOf(controller: Type): string[] {
  return scanner.getAllMethodNames(controller.prototype as object);
}
