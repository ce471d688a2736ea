import type { ExceptionFilter, Type } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';

import { compileRoute } from './compiled-route.js';
import { routesOf } from './handler-metadata.js';

type Controllers = ReturnType<DiscoveryService['getControllers']>;

/**
 * Puts one function in the place of what Nest makes of each method of a controller, where nothing but the application's
 * own guards and its one filter stand around it. Routes with guards, pipes, interceptors or filters of their own, and
 * all routes of an application that has any for all of them, or a prefix, stay with Nest.
 * @param filter the only one.
 */
export function compileRoutes(app: NestFastifyApplication, filter: ExceptionFilter): void {
  const config = app.get(ApplicationConfig);
  const controllers = app.get(DiscoveryService).getControllers();
  let compiled: ReadonlyMap<string, ReturnType<typeof compileRoute>> | undefined;
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRoute', (route) => {
      // Not before the first route: until then the application may still be given more.
      compiled ??= isPlain(config, filter) ? compile(app, config, controllers, filter) : new Map();
      const method = String(route.method) === 'HEAD' ? 'GET' : String(route.method);
      const handler = compiled.get(`${method} ${route.url}`);
      if (handler !== undefined) route.handler = handler;
    });
}

function isPlain(config: ApplicationConfig, filter: ExceptionFilter): boolean {
  const [only, second] = config.getGlobalFilters();
  const others = [
    ...config.getGlobalPipes(),
    ...config.getGlobalInterceptors(),
    ...config.getGlobalRequestGuards(),
    ...config.getGlobalRequestPipes(),
    ...config.getGlobalRequestInterceptors(),
    ...config.getGlobalRequestFilters(),
    ...config.getGlobalPreRequestHooks(),
  ];
  return only === filter && second === undefined && others.length === 0 && config.getGlobalPrefix() === '';
}

function compile(
  app: NestFastifyApplication,
  config: ApplicationConfig,
  controllers: Controllers,
  filter: ExceptionFilter,
): ReadonlyMap<string, ReturnType<typeof compileRoute>> {
  const adapter = app.getHttpAdapter();
  const reply = (to: FastifyReply, body: unknown, status: number): unknown => adapter.reply(to, body, status);
  const compiled = new Map<string, ReturnType<typeof compileRoute>>();
  const ambiguous = new Set<string>();
  for (const { instance, metatype, isStatic } of controllers.map(staticController)) {
    for (const metadata of isStatic ? routesOf(metatype) : []) {
      const handler = Reflect.get(instance, metadata.name) as (...args: unknown[]) => unknown;
      const parts = { metadata, controller: instance, type: metatype, handler, filter, reply };
      for (const route of metadata.routes) {
        if (compiled.has(route)) ambiguous.add(route);
        if (metadata.isPlain) compiled.set(route, compileRoute({ ...parts, guards: config.getGlobalGuards() }));
        else ambiguous.add(route);
      }
    }
  }
  // Of two handlers at one path, Nest knows which one it takes.
  for (const route of ambiguous) compiled.delete(route);
  return compiled;
}

function staticController(wrapper: Controllers[number]): { instance: object; metatype: Type; isStatic: boolean } {
  return {
    instance: wrapper.instance as object,
    metatype: wrapper.metatype as Type,
    isStatic: wrapper.isDependencyTreeStatic(),
  };
}
