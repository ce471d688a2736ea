import type { CollectionDefinition, Identified } from '../../data/definition/collection.js';
import type { Type } from '@nestjs/common';
import type { FastifyRequest, RouteShorthandOptions } from 'fastify';

import type { CollectionHandlers, ParentOfRequest } from './collection-pipeline.js';
import { runStep } from './enhancers/enhanced-route.js';
import { type HandlerClass, markHandlers, noteInput } from './enhancers/route-enhancers.js';

/** Where a collection is found, and what its routes are given of Fastify: hooks, or a config such as its access rule. */
export interface CollectionRoutesOptions {
  /** From the root, without a slash: `items`. */
  readonly path: string;
  /** Options of the routes that read. */
  readonly read?: RouteShorthandOptions;
  /** Options of the routes that write. */
  readonly write?: RouteShorthandOptions;
  /** Of a nested collection: a provider of the module that says whose members a path means. */
  readonly parent?: Type<ParentOfRequest>;
}

/** The class that {@link collectionRoutes} makes: what it serves can be read without an instance of it. */
export interface CollectionRoutesClass extends HandlerClass {
  readonly collection: CollectionDefinition<never, object>;
  readonly options: CollectionRoutesOptions;
}

const classes = new WeakSet<Type>();

/** Whether a class was made by {@link collectionRoutes}. */
export function isCollectionRoutes(type: unknown): type is CollectionRoutesClass {
  return typeof type === 'function' && classes.has(type as Type);
}

/**
 * The table of SPEC §4 for a collection that does nothing of its own in it, as routes of Fastify: a provider of the module
 * that has the collection's service. Guards, interceptors and filters of Nest see the class and its five methods.
 * @throws {Error} the collection is nested and there is no `parent`: these routes would show everybody's members.
 * @example providers: [collectionRoutes(books, { path: 'books', write: { onRequest: requireLibrarian } })]
 */
export function collectionRoutes<Resource extends Identified, Input extends object, Hidden>(
  collection: CollectionDefinition<Resource, Input, Hidden>,
  options: CollectionRoutesOptions,
): CollectionRoutesClass {
  const { parent } = options;
  if ((collection.parent === undefined) !== (parent === undefined)) throw new Error(wrongParent(collection, parent));

  class CollectionRoutes implements Record<keyof CollectionHandlers, (request: FastifyRequest) => unknown> {
    static readonly collection = collection as unknown as CollectionDefinition<never, object>;
    static readonly options = options;

    list(request: FastifyRequest): unknown {
      return runStep(request);
    }

    create(request: FastifyRequest): unknown {
      return runStep(request);
    }

    get(request: FastifyRequest): unknown {
      return runStep(request);
    }

    replace(request: FastifyRequest): unknown {
      return runStep(request);
    }

    remove(request: FastifyRequest): unknown {
      return runStep(request);
    }
  }
  const handlers = CollectionRoutes as unknown as CollectionRoutesClass;
  Object.defineProperty(handlers, 'name', { value: `${pascal(collection.name)}Routes` });
  markHandlers(handlers);
  for (const method of ['create', 'replace']) noteInput(handlers, method, collection.metatype ?? collection.dto);
  for (const decorate of collection.decorators ?? []) decorate(handlers);
  classes.add(handlers);
  return handlers;
}

/** `order_notes` becomes `OrderNotes`. */
function pascal(name: string): string {
  return name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function wrongParent({ name }: { readonly name: string }, parent: unknown): string {
  return parent === undefined
    ? `The collection "${name}" is nested, and collectionRoutes() does not know whose members a path means: ` +
        'give it a `parent`, or write a controller that gives its service the keys of the parent.'
    : `The collection "${name}" is not nested, but collectionRoutes() was given a \`parent\`: say it in defineCollection() too.`;
}
