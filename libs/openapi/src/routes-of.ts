import { bodyOf } from '@items/nest';
import type { Type } from '@nestjs/common';

import { capitalised } from './description/collection-names.js';
import { operationOf } from './description/operation.js';
import type { OpenApiOptions } from './openapi-options.js';
import { methodOf, writtenPathOf } from './route-metadata.js';
import type { Handler, Route, RouteAccess } from './route.js';

const OPEN: RouteAccess = { security: [], counted: false, errors: [] };

/**
 * The routes of a controller, as their decorators have them.
 * @throws {Error} where one does not say what it is.
 */
export function routesOf(controller: Type, access: NonNullable<OpenApiOptions['access']> = () => OPEN): Route[] {
  const descriptors = Object.values(Object.getOwnPropertyDescriptors(controller.prototype as object));
  return descriptors
    .map(({ value }) => value as unknown)
    .filter((value): value is Handler => typeof value === 'function' && methodOf(value) !== undefined)
    .map((handler) => {
      const method = String(methodOf(handler)).toLowerCase();
      const path = pathOf(controller, handler);
      const description = operationOf(handler);
      if (description === undefined) {
        throw new Error(`${method} ${path} does not say what it is: give it @Operation(), or @DescribesCollection().`);
      }
      const route = { controller, handler, method, path };
      const id = description.id ?? idOf(controller, handler);
      return { ...route, id, description, access: access(route), body: bodyOf(handler) };
    });
}

function pathOf(controller: Type, handler: Handler): string {
  const parts = [controller, handler].map(writtenPathOf);
  const segments = parts.flatMap((part) => part.split('/')).filter((segment) => segment !== '');
  return `/${segments.map((segment) => segment.replace(/^:(.+)$/, '{$1}')).join('/')}`;
}

/** `HealthController.live` → `healthLive`. */
function idOf(controller: Type, handler: Handler): string {
  const name = controller.name.replace(/Controller$/, '');
  return name.charAt(0).toLowerCase() + name.slice(1) + capitalised(handler.name);
}
