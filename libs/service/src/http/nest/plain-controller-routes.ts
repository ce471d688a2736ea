import { type ExceptionFilter, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA, HEADERS_METADATA, HTTP_CODE_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, HttpAdapterHost, ModuleRef } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';

import type { EdgeAdapter } from './edge-adapter.js';
import { RouteEnhancers } from './enhancers/route-enhancers.js';
import { throwFaultAfterGuards } from './fault-after-guards.js';
import { plainControllersOf } from './plain-controller.decorator.js';
import { routeArguments } from './route-arguments.js';
import { type ControllerMethod, fastifyConfigOf, handlersOf } from './route-config.js';
import { methodOf, writtenPathOf } from './route-metadata.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

@Injectable()
export class PlainControllerRoutes {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRef,
    private readonly host: HttpAdapterHost<EdgeAdapter>,
    private readonly enhancers: RouteEnhancers,
  ) {}

  /** Call it once, after all modules are initialized. */
  addRoutes(): void {
    for (const [controller, name, method] of handlersOf(plainControllersOf(this.discovery))) {
      const verb = methodOf(method);
      if (verb !== undefined) this.addRoute(controller, name, method, verb);
    }
  }

  private addRoute(controller: Type, name: string, method: ControllerMethod, verb: HTTPMethods): void {
    const handle = this.handlerOf(controller, name, method, verb);
    const filter = this.filterOf(controller);
    const caught: Handler = async (request, reply) => {
      try {
        return await handle(request, reply);
      } catch (error) {
        await filter?.catch(error, contextOf(request, reply, controller, method));
        return reply;
      }
    };
    this.host.httpAdapter.getInstance<FastifyInstance>().route({
      method: verb,
      url: urlOf(controller, method),
      config: fastifyConfigOf(method),
      handler: filter === undefined ? handle : caught,
    });
  }

  private handlerOf(controller: Type, name: string, method: ControllerMethod, verb: HTTPMethods): Handler {
    const instance = this.modules.get<object>(controller, { strict: false });
    const { sendsItself, of: argumentsOf } = routeArguments(controller, name);
    const status =
      (Reflect.getMetadata(HTTP_CODE_METADATA, method) as number | undefined) ?? (verb === 'POST' ? 201 : 200);
    const headers = (Reflect.getMetadata(HEADERS_METADATA, method) ?? []) as { name: string; value: string }[];
    const guard = this.enhancers.guardOf(controller, method);
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

  private filterOf(controller: Type): ExceptionFilter | undefined {
    const [type] = (Reflect.getMetadata(EXCEPTION_FILTERS_METADATA, controller) ?? []) as Type<ExceptionFilter>[];
    return type && this.modules.get(type, { strict: false });
  }
}

function urlOf(controller: Type, method: ControllerMethod): string {
  const parts = [controller, method].flatMap((target) => writtenPathOf(target).split('/'));
  return `/${parts.filter((part) => part !== '').join('/')}`;
}

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
