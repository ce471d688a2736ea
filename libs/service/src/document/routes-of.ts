import { MAX_BODY_BYTES } from '@items/conventions';
import { bodyOf } from '../http/nest/json-body.js';
import { type CollectionRoutesClass, isCollectionRoutes } from '../http/nest/collection-routes.js';
import type { Type } from '@nestjs/common';

import { capitalised, collectionNames } from './description/collection-names.js';
import { collectionOperations, type CollectionOperations } from './description/collection-operations.js';
import { operationOf } from './description/operation.js';
import { resourceSchemaOf } from './description/resource-schemas.js';
import type { OpenApiOptions } from './openapi-options.js';
import { methodOf, writtenPathOf } from '../http/nest/route-metadata.js';
import type { DescribedBody, Handler, Route, RouteAccess } from './route.js';

const OPEN: RouteAccess = { security: [], counted: false, errors: [] };

/** Routes of a collection, in the order of the table of §4. */
const TABLE: readonly { readonly kind: keyof CollectionOperations; readonly method: string; readonly at: string }[] = [
  { kind: 'list', method: 'get', at: '' },
  { kind: 'create', method: 'post', at: '' },
  { kind: 'read', method: 'get', at: '/:id' },
  { kind: 'replace', method: 'put', at: '/:id' },
  { kind: 'remove', method: 'delete', at: '/:id' },
];

/** Returns the described routes of a controller, or those of a collection. */
export function routesOf(source: Type, access: NonNullable<OpenApiOptions['access']> = () => OPEN): Route[] {
  return isCollectionRoutes(source) ? collectionRoutesOf(source, access) : controllerRoutesOf(source, access);
}

function collectionRoutesOf(source: CollectionRoutesClass, access: NonNullable<OpenApiOptions['access']>): Route[] {
  const { collection, options } = source;
  const resource = resourceSchemaOf(collection);
  const names = collectionNames(collection.name, collection.singular);
  const operations = collectionOperations({ collection, names, description: {}, resource, created: resource });
  return TABLE.map(({ kind, method, at }) => {
    const { [kind]: description } = operations;
    const { config = {} } = (method === 'get' ? options.read : options.write) ?? {};
    const route = { controller: source, handler: { name: kind }, config, method, path: written(options.path + at) };
    const takesBody = kind === 'create' || kind === 'replace';
    const body = takesBody ? { dto: collection.dto, maxBytes: MAX_BODY_BYTES } : undefined;
    return { ...route, id: String(description.id), description, access: access(route), body };
  });
}

function controllerRoutesOf(controller: Type, access: NonNullable<OpenApiOptions['access']>): Route[] {
  const descriptors = Object.values(Object.getOwnPropertyDescriptors(controller.prototype as object));
  return descriptors
    .map(({ value }) => value as unknown)
    .filter((value): value is Handler => typeof value === 'function' && methodOf(value) !== undefined)
    .flatMap((handler) => {
      const description = operationOf(handler);
      if (description === undefined) return [];
      const method = String(methodOf(handler)).toLowerCase();
      const route = { controller, handler, method, path: pathOf(controller, handler) };
      const id = description.id ?? idOf(controller, handler);
      return [{ ...route, id, description, access: access(route), body: describedBody(handler) }];
    });
}

function pathOf(controller: Type, handler: Handler): string {
  return written([controller, handler].map(writtenPathOf).join('/'));
}

function written(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  return `/${segments.map((segment) => segment.replace(/^:(.+)$/, '{$1}')).join('/')}`;
}

/** `HealthController.live` → `healthLive`. */
function idOf(controller: Type, handler: Handler): string {
  const name = controller.name.replace(/Controller$/, '');
  return name.charAt(0).toLowerCase() + name.slice(1) + capitalised(handler.name);
}

/** Returns undefined if any JSON is accepted. */
function describedBody(handler: Handler): DescribedBody | undefined {
  const { dto, maxBytes } = bodyOf(handler) ?? {};
  return dto === undefined || maxBytes === undefined ? undefined : { dto, maxBytes };
}
