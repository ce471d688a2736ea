import type { ExceptionFilter, Type } from '@nestjs/common';
import { MODULE_PATH } from '@nestjs/common/constants.js';
import { ApplicationConfig, DiscoveryService } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';

import { compileRoute, type ControllerMethod } from './compiled-route.js';
import { routesOf } from './handler-metadata.js';
import { type StageListener, timedStages } from './timed-stages.js';

type Controllers = ReturnType<DiscoveryService['getControllers']>;

/**
 * Puts one function in the place of what Nest makes of each method of a controller, where nothing but the application's
 * own guards and its one filter stand around it. Routes with guards, pipes, interceptors or filters of their own, those of
 * a module with a path, and all routes of an application that has any such thing for all of them, or a prefix, stay with
 * Nest. ADR 40
 * @param filter the only one.
 * @param onStage hears how long the parts of a request took; where there is none, nothing is timed.
 */
export function compileRoutes(app: NestFastifyApplication, filter: ExceptionFilter, onStage?: StageListener): void {
  const config = app.get(ApplicationConfig);
  const controllers = app.get(DiscoveryService).getControllers();
  const adapter = app.getHttpAdapter();
  const reply = (to: FastifyReply, body: unknown, status: number): unknown => adapter.reply(to, body, status);
  let methods: ReadonlyMap<string, ControllerMethod | undefined> | undefined;
  adapter.getInstance().addHook('onRoute', (route) => {
    methods ??= methodsByRoute(controllers);
    const method = methodAt(methods, String(route.method), route.url);
    // Asked at each route: an application is given its guards after it may have added routes past Nest.
    if (method === undefined || !isPlain(config, filter)) return;
    const parts = { ...method, guards: config.getGlobalGuards(), filter, reply };
    route.handler = compileRoute(onStage === undefined ? parts : timedStages(parts, onStage));
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

/** Fastify answers HEAD as GET, unless a handler takes it. */
function methodAt(
  methods: ReadonlyMap<string, ControllerMethod | undefined>,
  method: string,
  url: string,
): ControllerMethod | undefined {
  const own = `${method} ${url}`;
  return methods.get(method === 'HEAD' && !methods.has(own) ? `GET ${url}` : own);
}

/** Undefined stands for what stays with Nest: of two handlers at one path it knows which one it takes. */
function methodsByRoute(controllers: Controllers): ReadonlyMap<string, ControllerMethod | undefined> {
  const methods = new Map<string, ControllerMethod | undefined>();
  for (const wrapper of controllers.filter((each) => !hasModulePath(each))) {
    const { instance, metatype } = wrapper as { instance: object; metatype: Type };
    const isStatic = wrapper.isDependencyTreeStatic();
    for (const metadata of routesOf(metatype)) {
      for (const route of metadata.routes) {
        const isOurs = metadata.isPlain && isStatic && !methods.has(route);
        const method = isOurs
          ? { metadata, controller: instance, type: metatype, handler: handlerOf(instance, metadata.name) }
          : undefined;
        methods.set(route, method);
      }
    }
  }
  return methods;
}

function handlerOf(controller: object, name: string): ControllerMethod['handler'] {
  return Reflect.get(controller, name) as ControllerMethod['handler'];
}

/** One that RouterModule has moved. */
function hasModulePath({ host }: Controllers[number]): boolean {
  const module = host?.metatype as object | undefined;
  return module !== undefined && Reflect.getMetadataKeys(module).some((key) => String(key).startsWith(MODULE_PATH));
}
