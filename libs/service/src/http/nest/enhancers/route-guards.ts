import { Injectable, type Type } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig, ContextIdFactory, DiscoveryService, ExternalContextCreator, ModuleRef } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { isGuarded } from '../plain-controller.js';
import type { ControllerMethod } from '../route-config.js';
import type { Target } from './enhanced-route.js';
import { globalKinds } from './global-kinds.js';
import { type ContextId, type HandlerClass, markHandlers } from './route-enhancers.js';

/** Entry provider with which Nest creates request-scoped global guards for the routes of plain controllers. */
@Injectable()
export class PlainRoutes {}
markHandlers(PlainRoutes as HandlerClass);

export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

@Injectable()
export class RouteGuards {
  constructor(
    private readonly config: ApplicationConfig,
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRef,
    private readonly creator: ExternalContextCreator,
  ) {}

  /** @returns undefined if the handler has no guards. */
  before(controller: Type, method: ControllerMethod): Guard | undefined {
    if (!isGuarded(controller) || !this.hasGuards(controller, method)) return undefined;
    const instance = this.modules.get<object>(controller, { strict: false });
    const handler = standInFor(method);
    const make = (contextId?: ContextId, inquirerId?: string): Target =>
      this.creator.create(
        instance,
        handler,
        method.name,
        undefined,
        undefined,
        contextId,
        inquirerId,
        { guards: true },
        'http',
      );
    if (this.config.getGlobalRequestGuards().length === 0) return make();
    const entry = this.discovery.getProviders().find(({ metatype }) => metatype === PlainRoutes);
    return async (request, reply) => {
      const contextId = ContextIdFactory.getByRequest(request);
      this.modules.registerRequestByContextId(request, contextId);
      await this.modules.resolve(PlainRoutes, contextId, { strict: false });
      await make(contextId, entry?.id)(request, reply);
    };
  }

  private hasGuards(controller: Type, method: ControllerMethod): boolean {
    const isDecorated = [controller, method].some((target) => Reflect.hasMetadata(GUARDS_METADATA, target));
    return isDecorated || globalKinds(this.config).guards;
  }
}

/** Copies name and metadata of a handler to an empty function, because guards run before the arguments exist. */
function standInFor(method: ControllerMethod): () => void {
  const standIn = (): void => undefined;
  Object.defineProperty(standIn, 'name', { value: method.name });
  for (const key of Reflect.getMetadataKeys(method) as string[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, method), standIn);
  }
  return standIn;
}
