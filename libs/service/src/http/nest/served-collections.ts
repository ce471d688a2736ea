import type { CollectionService } from '../../data/collections/collection-service.js';
import { type CollectionDefinition, type HasId, type Method, METHODS } from '../../data/definition/collection.js';
import { MAX_BODY_BYTES } from '@items/conventions';
import { Injectable } from '@nestjs/common';
import { DiscoveryService, HttpAdapterHost, ModuleRef } from '@nestjs/core';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';

import { collectionPipeline, type ParentOfRequest } from './collection-pipeline.js';
import { type CollectionRoutesClass, isCollectionRoutes } from './collection-routes.js';
import { collectionToken } from './collection-token.js';
import { RouteEnhancers } from './enhancers/route-enhancers.js';
import type { ControllerMethod } from './route-config.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';

type Members = CollectionService<HasId, object>;
type CollectionMethods = Record<Method, ControllerMethod>;

/** Adds the routes of all collections to Fastify. Routes without Nest enhancers run no enhancer code. */
@Injectable()
export class ServedCollections {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRef,
    private readonly host: HttpAdapterHost,
    private readonly enhancers: RouteEnhancers,
  ) {}

  /** Call it once, after all modules are initialized. */
  addRoutes(): void {
    for (const { metatype } of this.discovery.getProviders()) {
      if (isCollectionRoutes(metatype)) this.serve(metatype);
    }
  }

  private serve(routes: CollectionRoutesClass): void {
    const { path, read, write } = routes.options;
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const enhanced = this.enhancers.around(routes);
    const members = this.modules.get<Members>(collectionToken(routes.collection), { strict: false });
    const definition = routes.collection as unknown as CollectionDefinition<HasId, object>;
    const handlers = collectionPipeline(definition, members, this.parentsOf(routes), enhanced);
    const [all, one] = [`/${path}`, `/${path}/:id`];
    const table = {
      list: ['GET', all],
      get: ['GET', one],
      create: ['POST', all],
      replace: ['PUT', one],
      remove: ['DELETE', one],
    } as const;
    // Makes a path without a served method respond with 405, not 404.
    for (const url of [all, one]) fastify.routeTable.add('OPTIONS', url);
    for (const name of routes.collection.methods ?? METHODS) {
      const [method, url] = table[name];
      const options = method === 'GET' ? read : write;
      const config: FastifyContextConfig = {
        ...options?.config,
        // The handler reads the body itself, after validating the head.
        readsBody: method === 'GET' ? {} : { maxBytes: MAX_BODY_BYTES },
        handledBy: { controller: routes, handler: (routes.prototype as CollectionMethods)[name] },
        mayHaveGuards: enhanced !== undefined,
      };
      fastify.route({ ...options, config, method, url, handler: handlers[name] });
    }
  }

  private parentsOf({ options: { path, parent } }: CollectionRoutesClass): ParentOfRequest | undefined {
    if (parent === undefined) return undefined;
    try {
      return this.modules.get(parent, { strict: false });
    } catch {
      throw new StartRefusedError(
        `The collection at ${path} needs the provider ${parent.name}: import the module that exports it.`,
      );
    }
  }
}
