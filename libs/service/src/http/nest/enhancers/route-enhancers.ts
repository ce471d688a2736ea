import { Injectable, type Type } from '@nestjs/common';
import {
  ENTRY_PROVIDER_WATERMARK,
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
} from '@nestjs/common/constants.js';
import {
  ApplicationConfig,
  ContextIdFactory,
  DiscoveryService,
  ExternalContextCreator,
  type ExternalContextOptions,
  HttpAdapterHost,
  ModuleRef,
} from '@nestjs/core';
import type { DtoClass } from '@items/fields';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ServeRoute } from '../collection-pipeline.js';
import type { EdgeAdapter } from '../edge-adapter.js';
import { isGuarded } from '../plain-controller.decorator.js';
import type { ControllerMethod } from '../route-config.js';
import { EnhancedControllers } from './enhanced-controllers.js';
import { enhancedHandler, type EnhancerKinds, globalKinds, type RouteContexts, type Target } from './enhanced-route.js';

/**
 * A class whose methods represent Fastify routes. `ExecutionContext.getClass()` returns it, and the `decorators` of a
 * collection are applied to it.
 */
export type HandlerClass = Type<Record<string, (...args: unknown[]) => unknown>>;

type Instance = InstanceType<HandlerClass>;
type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Callback = (...args: unknown[]) => unknown;

interface Handler {
  readonly instance: object;
  readonly name: string;
  readonly callback: Callback;
  /** Metadata key of the parameters, if pipes are to run. */
  readonly parameters?: string;
}

/** Set only for request-scoped enhancers. */
interface Scope {
  readonly contextId: ReturnType<typeof ContextIdFactory.create>;
  readonly inquirerId: string;
}

const INPUT = 'items:input';
/** `RouteParamtypes.BODY` and the index of the parameter, in the form of Nest's metadata. */
const BODY_PARAMETER = '3:0';
/** Makes Nest apply the pipes to the first argument of the call, the input. */
const INPUT_ONLY = { exchangeKeyForValue: (_type: number, _data: unknown, [input]: unknown[]): unknown => input };

/** Makes Nest add request-scoped enhancers to the class, as to a controller. Call it before the module is scanned. */
export function markHandlers(handlers: HandlerClass): void {
  Reflect.defineMetadata(ENTRY_PROVIDER_WATERMARK, true, handlers);
}

export function describeInput(handlers: HandlerClass, method: string, metatype: DtoClass): void {
  Reflect.defineMetadata(INPUT, { [BODY_PARAMETER]: { index: 0, data: undefined, pipes: [] } }, handlers, method);
  Reflect.defineMetadata('design:paramtypes', [metatype], handlers.prototype as object, method);
}

/** Nest adds request-scoped global guards to this provider. Routes outside collections run these guards. */
@Injectable()
export class PlainRoutes {}
markHandlers(PlainRoutes as HandlerClass);

export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Makes the Nest functions that run the enhancers of Fastify routes. Use it when all modules are initialized. */
@Injectable()
export class RouteEnhancers {
  constructor(
    private readonly config: ApplicationConfig,
    private readonly controllers: EnhancedControllers,
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRef,
    private readonly creator: ExternalContextCreator,
    private readonly host: HttpAdapterHost<EdgeAdapter>,
  ) {}

  around(handlers: HandlerClass): ServeRoute | undefined {
    const kinds = this.kindsOf(handlers);
    const { httpAdapter: adapter } = this.host;
    if (!Object.values(kinds).some(Boolean)) return undefined;
    if (kinds.interceptors) adapter.compareBodies();
    return (method, steps) => {
      const contextsOf = this.contextsOf(handlers, method);
      return enhancedHandler(steps, { kinds, contextsOf, adapter });
    };
  }

  guardOf(controller: Type, method: ControllerMethod): Guard | undefined {
    if (!isGuarded(controller) || !this.hasGuards(controller, method)) return undefined;
    const instance = this.modules.get<object>(controller, { strict: false });
    const handler: Handler = { instance, name: method.name, callback: standInFor(method) };
    const guardIn = (scope?: Scope): Target => this.create(handler, { guards: true }, scope);
    if (this.config.getGlobalRequestGuards().length === 0) return guardIn();
    const entry = this.wrapperOf(PlainRoutes);
    return async (request, reply) => {
      const scope = this.scopeOf(request, entry);
      await this.modules.resolve(PlainRoutes, scope.contextId, { strict: false });
      await guardIn(scope)(request, reply);
    };
  }

  private hasGuards(controller: Type, method: ControllerMethod): boolean {
    const isDecorated = [controller, method].some((target) => Reflect.hasMetadata(GUARDS_METADATA, target));
    return isDecorated || globalKinds(this.config).guards;
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
    const wrapper = this.wrapperOf(handlers);
    const make = (instance: Instance, scope?: Scope): RouteContexts => {
      const handler: Handler = { instance, name: method, callback: instance[method] as Callback };
      return {
        guards: this.create(handler, { guards: true }, scope),
        interceptors: this.create(handler, { interceptors: true }, scope),
        filters: this.create(handler, { filters: true }, scope),
        pipes: this.create({ ...handler, callback: (input) => input, parameters: INPUT }, {}, scope),
      };
    };
    if (wrapper.isDependencyTreeStatic()) {
      const contexts = Promise.resolve(make(wrapper.instance as Instance));
      return () => contexts;
    }
    return async (request) => {
      const scope = this.scopeOf(request, wrapper);
      return make(await this.modules.resolve<Instance>(handlers, scope.contextId, { strict: false }), scope);
    };
  }

  private wrapperOf(type: Type): Wrapper {
    const wrapper = this.discovery.getProviders().find(({ metatype }) => metatype === type);
    if (wrapper === undefined) throw new Error(`${type.name} is not a provider of any module.`);
    return wrapper;
  }

  private scopeOf(request: FastifyRequest, { id: inquirerId }: Wrapper): Scope {
    const contextId = ContextIdFactory.getByRequest(request);
    this.modules.registerRequestByContextId(request, contextId);
    return { contextId, inquirerId };
  }

  private create(
    { instance, name, callback, parameters }: Handler,
    options: ExternalContextOptions,
    scope?: Scope,
  ): Target {
    const factory = parameters === undefined ? undefined : INPUT_ONLY;
    const { contextId, inquirerId } = scope ?? {};
    return this.creator.create(instance, callback, name, parameters, factory, contextId, inquirerId, options, 'http');
  }
}

/**
 * Returns an empty function with the name and metadata of a handler. Nest calls the handler right after its guards, but
 * here the arguments do not exist yet.
 */
function standInFor(method: ControllerMethod): () => void {
  const standIn = (): void => undefined;
  Object.defineProperty(standIn, 'name', { value: method.name });
  for (const key of Reflect.getMetadataKeys(method) as string[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, method), standIn);
  }
  return standIn;
}
