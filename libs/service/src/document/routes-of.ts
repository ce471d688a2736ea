import { MAX_BODY_BYTES } from '@items/conventions';
import { referencedError } from '../data/writes/reference-checks.js';
import { bodyOf } from '../http/nest/json-body.js';
import { type CollectionRoutesClass, isCollectionRoutes } from '../http/nest/collection-routes.js';
import type { Type } from '@nestjs/common';

import { capitalised, collectionNames } from './description/collection-names.js';
import { collectionOperations, type CollectionOperations, ruleErrors } from './description/collection-operations.js';
import { type OperationDescription, operationOf } from './description/operation.js';
import { resourceSchemaOf } from './description/resource-schemas.js';
import type { OpenApiOptions } from './openapi-options.js';
import { methodOf, writtenPathsOf } from '../http/nest/route-metadata.js';
import { isExcluded, ownBody, ownDescription } from './own-routes.js';
import type { DescribedBody, Handler, Route, RouteAccess } from './route.js';

const OPEN: RouteAccess = { security: [], counted: false, errors: [] };

/** Routes of a collection, in the order of SPEC §4. */
const TABLE: readonly { readonly kind: keyof CollectionOperations; readonly method: string; readonly at: string }[] = [
  { kind: 'list', method: 'get', at: '' },
  { kind: 'create', method: 'post', at: '' },
  { kind: 'read', method: 'get', at: '/:id' },
  { kind: 'replace', method: 'put', at: '/:id' },
  { kind: 'remove', method: 'delete', at: '/:id' },
];

/** @param isOwn Whether to list routes without a description. */
export function routesOf(
  source: Type,
  access: NonNullable<OpenApiOptions['access']> = () => OPEN,
  isOwn = false,
): Route[] {
  return isCollectionRoutes(source) ? collectionRoutesOf(source, access) : controllerRoutesOf(source, access, isOwn);
}

function collectionRoutesOf(source: CollectionRoutesClass, access: NonNullable<OpenApiOptions['access']>): Route[] {
  const { collection, options } = source;
  const resource = resourceSchemaOf(collection);
  const names = collectionNames(collection.name, collection.singular);
  const deleteErrors = (options.referrers ?? []).slice(0, 1).map((each) => referencedError(collection.singular, each));
  const description = { deleteErrors };
  const operations = collectionOperations({ collection, names, description, resource, created: resource });
  const served = TABLE.filter(({ kind }) => collection.methods?.includes(kind === 'read' ? 'get' : kind) !== false);
  return served.map(({ kind, method, at }) => {
    const { [kind]: plain } = operations;
    const operation = { ...plain, errors: [...(plain.errors ?? []), ...ruleErrors(collection, kind)] };
    const { config = {} } = (method === 'get' ? options.read : options.write) ?? {};
    const route = { controller: source, handler: { name: kind }, config, method, path: written(options.path + at) };
    const takesBody = kind === 'create' || kind === 'replace';
    const body = takesBody ? { dto: collection.dto, maxBytes: MAX_BODY_BYTES } : undefined;
    return { ...route, id: String(operation.id), description: operation, access: access(route), body };
  });
}

function controllerRoutesOf(controller: Type, access: NonNullable<OpenApiOptions['access']>, isOwn: boolean): Route[] {
  const descriptors = Object.values(Object.getOwnPropertyDescriptors(controller.prototype as object));
  return descriptors
    .map(({ value }) => value as unknown)
    .filter((value): value is Handler => typeof value === 'function' && methodOf(value) !== undefined)
    .flatMap((handler) => {
      if (isOwn ? isExcluded(controller, handler) : operationOf(handler) === undefined) return [];
      return methodsAndPaths(controller, handler).map(({ method, path }) => {
        const description = isOwn
          ? ownDescription(controller, handler, method)
          : (operationOf(handler) as OperationDescription);
        const route = { controller, handler, method, path };
        const id = description.id ?? idOf(controller, handler);
        const body = describedBody(handler) ?? (isOwn ? ownBody(controller, handler) : undefined);
        return { ...route, id, description, access: access(route), body };
      });
    });
}

/** One entry for each method and path: `@All()` has every method, and decorators may have several paths. */
function methodsAndPaths(controller: Type, handler: Handler): { readonly method: string; readonly path: string }[] {
  const method = String(methodOf(handler)).toLowerCase();
  const methods = method === 'all' ? ['get', 'post', 'put', 'patch', 'delete'] : [method];
  const paths = writtenPathsOf(controller).flatMap((prefix) =>
    writtenPathsOf(handler).map((end) => written(`${prefix}/${end}`)),
  );
  return paths.flatMap((path) => methods.map((each) => ({ method: each, path })));
}

function written(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  return `/${segments.map((segment) => segment.replace(/:(\w+)/g, '{$1}').replace(/^\*(\w*)$/, (_, name: string) => `{${name || 'rest'}}`)).join('/')}`;
}

function idOf(controller: Type, handler: Handler): string {
  const name = controller.name.replace(/Controller$/, '');
  return name.charAt(0).toLowerCase() + name.slice(1) + capitalised(handler.name);
}

function describedBody(handler: Handler): DescribedBody | undefined {
  const { dto, maxBytes } = bodyOf(handler) ?? {};
  return dto === undefined || maxBytes === undefined ? undefined : { dto, maxBytes };
}
