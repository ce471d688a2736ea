import { type ExceptionFilter, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA, HEADERS_METADATA, HTTP_CODE_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, HttpAdapterHost, MetadataScanner, ModuleRef } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';

import type { EdgeAdapter } from './edge-adapter.js';
import { RouteGuards } from './enhancers/route-guards.js';
import { throwFaultAfterGuards } from './fault-after-guards.js';
import { plainControllersOf } from './plain-controller.js';
import { routeArguments } from './route-arguments.js';
import { type ControllerMethod, fastifyConfigOf } from './route-config.js';
import { methodOf, writtenPathOf } from './route-metadata.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

@Injectable()
export class PlainControllers {
  private readonly scanner = new MetadataScanner();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRef,
    private readonly host: HttpAdapterHost<EdgeAdapter>,
    private readonly guards: RouteGuards,
  ) {}

  /** Call it once, after all modules are initialized. */
  addRoutes(): void {
    for (const controller of plainControllersOf(this.discovery)) {
      const prototype = controller.prototype as Record<string, ControllerMethod>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const { [name]: method } = prototype;
        const verb = method === undefined ? undefined : methodOf(method);
        if (method !== undefined && verb !== undefined) this.addRoute(controller, name, method, verb);
      }
    }
  }

  private addRoute(controller: Type, name: string, method: ControllerMethod, verb: HTTPMethods): void {
    const handle = this.handlerOf(controller, name, method, verb);
    const filters = this.filtersOf(controller);
    this.host.httpAdapter.getInstance<FastifyInstance>().route({
      method: verb,
      url: urlOf(controller, method),
      config: fastifyConfigOf(method),
      handler: filters.length === 0 ? handle : caught(handle, filters, controller, method),
    });
  }

  private handlerOf(controller: Type, name: string, method: ControllerMethod, verb: HTTPMethods): Handler {
    const instance = this.modules.get<object>(controller, { strict: false });
    const { sendsItself, of: argumentsOf } = routeArguments(controller, name);
    const status =
      (Reflect.getMetadata(HTTP_CODE_METADATA, method) as number | undefined) ?? (verb === 'POST' ? 201 : 200);
    const headers = (Reflect.getMetadata(HEADERS_METADATA, method) ?? []) as { name: string; value: string }[];
    const guard = this.guards.before(controller, method);
    return async (request, reply) => {
      if (guard !== undefined) await guard(request, reply);
      throwFaultAfterGuards(request);
      reply.code(status);
      for (const header of headers) reply.header(header.name, header.value);
      const values = await argumentsOf(contextOf(request, reply, controller, method));
      const body: unknown = await method.apply(instance, values as never[]);
      if (!sendsItself) this.host.httpAdapter.reply(reply, body);
      return reply;
    };
  }

  private filtersOf(controller: Type): ExceptionFilter[] {
    const types = (Reflect.getMetadata(EXCEPTION_FILTERS_METADATA, controller) ?? []) as Type<ExceptionFilter>[];
    return types.map((type) => this.modules.get(type, { strict: false }));
  }
}

function urlOf(controller: Type, method: ControllerMethod): string {
  const parts = [controller, method].flatMap((target) => writtenPathOf(target).split('/'));
  return `/${parts.filter((part) => part !== '').join('/')}`;
}

function caught(
  handle: Handler,
  [filter]: readonly ExceptionFilter[],
  controller: Type,
  method: ControllerMethod,
): Handler {
  return async (request, reply) => {
    try {
      return await handle(request, reply);
    } catch (error) {
      await filter?.catch(error, contextOf(request, reply, controller, method));
      return reply;
    }
  };
}

/** Custom parameters and filters get this context. */
function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  controller: Type,
  method: ControllerMethod,
): ExecutionContext {
  const values: unknown[] = [request, reply];
  const http = { getRequest: () => request, getResponse: () => reply, getNext: () => undefined };
  return {
    getArgs: () => values,
    getArgByIndex: (index: number) => values[index],
    switchToHttp: () => http,
    getType: () => 'http',
    getClass: () => controller,
    getHandler: () => method,
  } as unknown as ExecutionContext;
}
