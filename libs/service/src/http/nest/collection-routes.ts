import type { CollectionDefinition, Identified } from '../../data/definition/collection.js';
import type { CollectionService } from '../../data/collections/collection-service.js';
import { MAX_BODY_BYTES } from '@items/conventions';
import { Inject, Injectable, Optional, type OnModuleInit, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';

import { collectionPipeline, type ParentOfRequest } from './collection-pipeline.js';
import { collectionToken } from './collection-token.js';

/** Where a collection is found, and what its routes are given of Fastify: hooks, or a config such as its access rule. */
export interface CollectionRoutesOptions {
  /** From the root, without a slash: `items`. */
  readonly path: string;
  /** Of the routes that read. */
  readonly read?: RouteShorthandOptions;
  /** Of the routes that write. */
  readonly write?: RouteShorthandOptions;
  /** Of a nested collection: a provider of the module that says whose members a path means. */
  readonly parent?: Type<ParentOfRequest>;
}

/** The class that {@link collectionRoutes} makes: what it serves can be read without an instance of it. */
export interface CollectionRoutesClass extends Type<OnModuleInit> {
  readonly collection: CollectionDefinition<never, object>;
  readonly options: CollectionRoutesOptions;
}

const classes = new WeakSet<Type>();

/** Whether a class was made by {@link collectionRoutes}. */
export function isCollectionRoutes(type: Type): type is CollectionRoutesClass {
  return classes.has(type);
}

/**
 * The table of SPEC §4 for a collection that does nothing of its own in it, as routes of Fastify: a provider of the module
 * that has the collection's service. A collection that does more has a controller with these five methods.
 * @throws {Error} the collection is nested and there is no `parent`: these routes would show everybody's members.
 * @example providers: [collectionRoutes(books, { path: 'books', write: { onRequest: requireLibrarian } })]
 */
export function collectionRoutes<Resource extends Identified, Input extends object, Hidden>(
  collection: CollectionDefinition<Resource, Input, Hidden>,
  options: CollectionRoutesOptions,
): CollectionRoutesClass {
  const { path, read, write, parent } = options;
  if ((collection.parent === undefined) !== (parent === undefined)) throw new Error(wrongParent(collection, parent));

  @Injectable()
  class CollectionRoutes implements OnModuleInit {
    static readonly collection = collection as unknown as CollectionDefinition<never, object>;
    static readonly options = options;

    constructor(
      @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
      @Inject(collectionToken(collection)) private readonly members: CollectionService<Resource, Input, Hidden>,
      @Optional() @Inject(parent ?? NO_PARENT_SOURCE) private readonly parents?: ParentOfRequest,
    ) {
      if (parent !== undefined && parents === undefined) {
        throw new Error(`The module of ${path} has no provider ${parent.name}: import the module that exports it.`);
      }
    }

    onModuleInit(): void {
      const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
      const handlers = collectionPipeline(collection, this.members, this.parents);
      const [all, one] = [`/${path}`, `/${path}/:id`];
      fastify.get(all, readingBody(read), handlers.list);
      fastify.get(one, readingBody(read), handlers.get);
      fastify.post(all, readingBody(write, MAX_BODY_BYTES), handlers.create);
      fastify.put(one, readingBody(write, MAX_BODY_BYTES), handlers.replace);
      fastify.delete(one, readingBody(write, MAX_BODY_BYTES), handlers.remove);
    }
  }
  classes.add(CollectionRoutes);
  return CollectionRoutes;
}

/** Of a route that reads its body when it has judged the head, or has none: nothing parses it. */
function readingBody(options: RouteShorthandOptions | undefined, maxBytes?: number): RouteShorthandOptions {
  const readsBody = maxBytes === undefined ? {} : { maxBytes };
  return { ...options, config: { ...options?.config, readsBody } };
}

/** Injected in the place of a parent source, for a collection that has no parent. */
const NO_PARENT_SOURCE = Symbol('NO_PARENT_SOURCE');

function wrongParent({ name }: { readonly name: string }, parent: unknown): string {
  return parent === undefined
    ? `The collection "${name}" is nested, and collectionRoutes() does not know whose members a path means: ` +
        'give it a `parent`, or write a controller that gives its service the keys of the parent.'
    : `The collection "${name}" is not nested, but collectionRoutes() was given a \`parent\`: say it in defineCollection() too.`;
}
