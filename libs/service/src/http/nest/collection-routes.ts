import type { Referrer } from '../../data/definition/references.js';
import { type CollectionDefinition, type HasId, METHODS } from '../../data/definition/collection.js';
import { Injectable, type Type } from '@nestjs/common';
import type { FastifyRequest, RouteShorthandOptions } from 'fastify';

import type { ParentOfRequest } from './collection-pipeline.js';
import { runStep } from './enhancers/enhanced-route.js';
import { type HandlerClass, markHandlers, describeInput } from './enhancers/route-enhancers.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';

/** Path of a collection, and the Fastify options of its routes: hooks, or a config such as the access rule. */
export interface CollectionRoutesOptions {
  /** Path from the root without a leading slash: `items`. */
  readonly path: string;
  readonly read?: RouteShorthandOptions;
  readonly write?: RouteShorthandOptions;
  /** Finds the parent of a request. Required for nested collections only. */
  readonly parent?: Type<ParentOfRequest>;
  /** Columns of other collections that prevent the deletion of a member, for the OpenAPI document. */
  readonly referrers?: readonly Referrer[];
}

/** A class whose static members describe its routes, so that the OpenAPI document needs no instance. */
export interface CollectionRoutesClass extends HandlerClass {
  readonly collection: CollectionDefinition<never, object>;
  readonly options: CollectionRoutesOptions;
}

const classes = new WeakSet<Type>();

export function isCollectionRoutes(type: unknown): type is CollectionRoutesClass {
  return typeof type === 'function' && classes.has(type as Type);
}

/**
 * Makes a provider that serves the routes of SPEC §4 for a collection without custom code. Add it to the module that
 * has the service of the collection. Guards, interceptors and filters of Nest see the class and its five methods.
 * @throws {StartRefusedError} if only the collection or only the options have a `parent`. Routes without `parent` would
 *   show the members of all parents.
 * @example providers: [collectionRoutes(books, { path: 'books', write: { onRequest: requireLibrarian } })]
 */
export function collectionRoutes<Resource extends HasId, Input extends object, Hidden>(
  collection: CollectionDefinition<Resource, Input, Hidden>,
  options: CollectionRoutesOptions,
): CollectionRoutesClass {
  const { parent } = options;
  if ((collection.parent === undefined) !== (parent === undefined))
    throw new StartRefusedError(wrongParent(collection, parent));

  @Injectable()
  class CollectionRoutes {
    static readonly collection = collection as unknown as CollectionDefinition<never, object>;
    static readonly options = options;
  }
  // Nest reads enhancers from these methods. They run the steps of `enhancedHandler()`.
  for (const name of METHODS) {
    const method = (request: FastifyRequest): unknown => runStep(request);
    Object.defineProperty(method, 'name', { value: name });
    Reflect.set(CollectionRoutes.prototype, name, method);
  }
  const handlers = CollectionRoutes as unknown as CollectionRoutesClass;
  Object.defineProperty(handlers, 'name', { value: `${pascal(collection.name)}Routes` });
  markHandlers(handlers);
  for (const method of ['create', 'replace']) describeInput(handlers, method, collection.metatype ?? collection.dto);
  for (const decorate of collection.decorators ?? []) decorate(handlers);
  classes.add(handlers);
  return handlers;
}

function pascal(name: string): string {
  return name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function wrongParent({ name }: { readonly name: string }, parent: unknown): string {
  return parent === undefined
    ? `The collection "${name}" is nested, but collectionRoutes() cannot find the parent of a request: ` +
        'set `parent`, or write a controller that passes the keys of the parent to the service.'
    : `The collection "${name}" is not nested, but collectionRoutes() has a \`parent\`: set it in defineCollection() too.`;
}
