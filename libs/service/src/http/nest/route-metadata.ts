import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';

/*
 * What `@Get()`, `@Controller()` and their like have said. Nest exports no reader of it, only the names under which it is
 * kept; they are used here alone, as seen in @nestjs/common 12.5.1.
 */

/** The method of a handler in upper case, such as `GET`; undefined for what is no handler. */
export function methodOf(handler: object): string | undefined {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  return method === undefined ? undefined : RequestMethod[method];
}

/** The path of a handler below its controller's, or of a controller, as it was written; `/` where none was. */
export function writtenPathOf(target: object): string {
  return Reflect.getMetadata(PATH_METADATA, target) as string;
}
