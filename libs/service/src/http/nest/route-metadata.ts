import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';

/*
 * Reads the metadata of `@Get()`, `@Controller()` and similar decorators. Nest exports only the keys, so this file
 * depends on the format of @nestjs/common 12.5.1.
 */

/** @returns the method, such as `GET`; undefined if the function is no handler. */
export function methodOf(handler: object): string | undefined {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  return method === undefined ? undefined : RequestMethod[method];
}

/** Returns the path of a controller, or the path of a handler below it; `/` if omitted. */
export function writtenPathOf(target: object): string {
  return Reflect.getMetadata(PATH_METADATA, target) as string;
}

/** Returns all paths: a decorator may list several. */
export function writtenPathsOf(target: object): readonly string[] {
  return [Reflect.getMetadata(PATH_METADATA, target) as string | readonly string[]].flat();
}
