import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';

import { routeAccess } from '../auth/route-access.js';
import { bodyOf } from '../http/json-body.js';
import { capitalised } from './description/collection-names.js';
import { operationOf } from './description/operation.js';
import type { Route } from './route.js';

/** A method of a controller. */
interface Handler {
  readonly name: string;
}

/**
 * The routes of a controller, as their decorators have them.
 * @throws {Error} where one does not say what it is.
 */
export function routesOf(controller: Type): Route[] {
  const descriptors = Object.values(Object.getOwnPropertyDescriptors(controller.prototype as object));
  return descriptors
    .map(({ value }) => value as unknown)
    .filter((value): value is Handler => typeof value === 'function' && Reflect.hasMetadata(METHOD_METADATA, value))
    .map((handler) => routeOf(controller, handler));
}

function routeOf(controller: Type, handler: Handler): Route {
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod].toLowerCase();
  const path = pathOf(controller, handler);
  const description = operationOf(handler);
  if (description === undefined) {
    throw new Error(`${method} ${path} does not say what it is: give it @Operation(), or @DescribesCollection().`);
  }
  const id = description.id ?? idOf(controller, handler);
  return { method, path, id, description, access: routeAccess(controller, handler), body: bodyOf(handler) };
}

function pathOf(controller: Type, handler: Handler): string {
  const parts = [controller, handler].map((part) => Reflect.getMetadata(PATH_METADATA, part) as string);
  const segments = parts.flatMap((part) => part.split('/')).filter((segment) => segment !== '');
  return `/${segments.map((segment) => segment.replace(/^:(.+)$/, '{$1}')).join('/')}`;
}

/** `HealthController.live` → `healthLive`. */
function idOf(controller: Type, handler: Handler): string {
  const name = controller.name.replace(/Controller$/, '');
  return name.charAt(0).toLowerCase() + name.slice(1) + capitalised(handler.name);
}
