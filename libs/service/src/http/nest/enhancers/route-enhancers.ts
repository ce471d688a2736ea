import { Injectable, type Type } from '@nestjs/common';
import {
  ENTRY_PROVIDER_WATERMARK,
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
} from '@nestjs/common/constants.js';
import {
  ContextIdFactory,
  DiscoveryService,
  ExternalContextCreator,
  type ExternalContextOptions,
  HttpAdapterHost,
  ModuleRef,
} from '@nestjs/core';
import type { DtoClass } from '@items/fields';
import type { FastifyRequest } from 'fastify';

import type { EdgeAdapter } from '../edge-adapter.js';
import { EnhancedControllers } from './enhanced-controllers.js';
import { EnhancedRoute, type EnhancerKinds, type RouteContexts, type Target } from './enhanced-route.js';

/**
 * A class whose methods represent Fastify routes. `ExecutionContext` returns it, and `decorators` are applied to it.
 */
export type HandlerClass = Type<Record<string, (...args: unknown[]) => unknown>>;

type Instance = InstanceType<HandlerClass>;
type Callback = (...args: unknown[]) => unknown;
export type ContextId = ReturnType<typeof ContextIdFactory.create>;

const INPUT = 'items:input';
/** `RouteParamtypes.BODY` and the index of the parameter, in the form of Nest's metadata. */
const BODY_PARAMETER = '3:0';
/** Nest reads the parameter from the argument that the pipes are called with. */
const INPUT_ONLY = { exchangeKeyForValue: (_type: number, _data: unknown, [input]: unknown[]): unknown => input };

/**
 * Makes Nest add request-scoped enhancers to the class, as it does for a controller. Apply it before the module is
 * scanned.
 */
export function markHandlers(handlers: HandlerClass): void {
  Injectable()(handlers);
  Reflect.defineMetadata(ENTRY_PROVIDER_WATERMARK, true, handlers);
}

export function noteInput(handlers: HandlerClass, method: string, metatype: DtoClass): void {
  Reflect.defineMetadata(INPUT, { [BODY_PARAMETER]: { index: 0, data: undefined, pipes: [] } }, handlers, method);
  Reflect.defineMetadata('design:paramtypes', [metatype], handlers.prototype as object, method);
}

@Injectable()
export class RouteEnhancers {
  constructor(
    private readonly controllers: EnhancedControllers,
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRef,
    private readonly creator: ExternalContextCreator,
    private readonly host: HttpAdapterHost<EdgeAdapter>,
  ) {}

  /** Call it when all modules are initialized. */
  around(handlers: HandlerClass, method: string): EnhancedRoute | undefined {
    const kinds = this.kindsOf(handlers);
    if (!Object.values(kinds).some(Boolean)) return undefined;
    if (kinds.interceptors) this.host.httpAdapter.compareBodies();
    return new EnhancedRoute(kinds, this.contextsOf(handlers, method), this.host.httpAdapter);
  }

  private kindsOf(handlers: HandlerClass): EnhancerKinds {
    const { global } = this.controllers;
    const has = (key: string): boolean => Reflect.hasMetadata(key, handlers);
    return {
      guards: global.guards || has(GUARDS_METADATA),
      interceptors: global.interceptors || has(INTERCEPTORS_METADATA),
      pipes: global.pipes || has(PIPES_METADATA),
      filters: global.filters || has(EXCEPTION_FILTERS_METADATA),
    };
  }

  /** Contexts are made once, or for each request if an enhancer is request-scoped. */
  private contextsOf(handlers: HandlerClass, method: string): (request: FastifyRequest) => Promise<RouteContexts> {
    const wrapper = this.discovery.getProviders().find(({ metatype }) => metatype === handlers);
    if (wrapper === undefined) throw new Error(`${handlers.name} is no provider of a module.`);
    if (wrapper.isDependencyTreeStatic()) {
      const contexts = Promise.resolve(this.make(wrapper.instance as Instance, method));
      return () => contexts;
    }
    return async (request) => {
      const contextId = ContextIdFactory.getByRequest(request);
      this.modules.registerRequestByContextId(request, contextId);
      const instance = await this.modules.resolve<Instance>(handlers, contextId, { strict: false });
      return this.make(instance, method, contextId, wrapper.id);
    };
  }

  private make(instance: Instance, method: string, contextId?: ContextId, inquirerId?: string): RouteContexts {
    const handler = instance[method] as Callback;
    const create = (callback: Callback, options: ExternalContextOptions, key?: string): Target =>
      this.creator.create(
        instance,
        callback,
        method,
        key,
        key === undefined ? undefined : INPUT_ONLY,
        contextId,
        inquirerId,
        options,
        'http',
      );
    return {
      guards: create(handler, { guards: true }),
      interceptors: create(handler, { interceptors: true }),
      filters: create(handler, { filters: true }),
      pipes: create((input) => input, {}, INPUT),
    };
  }
}
