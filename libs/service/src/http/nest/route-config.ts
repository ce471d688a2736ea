import type { Type } from '@nestjs/common';
import { MetadataScanner, Reflector, type DiscoveryService } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

import { controllersOf } from './plain-controller.js';

/** A method of a controller. */
export type ControllerMethod = (...args: never[]) => unknown;

/** The class and the method that guards see as `getClass()` and `getHandler()`. */
export interface HandledBy {
  readonly controller: Type;
  readonly handler: { readonly name: string };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The controller and its method, or those that stand for a route of a collection. */
    handledBy?: HandledBy;
  }
}

/** Under it `@RouteConfig()` stores what Fastify is to know of a route. */
const { KEY } = RouteConfig({});

const scanner = new MetadataScanner();
const reflector = new Reflector();

/** Returns what decorators have said of the Fastify route of a handler. */
export function fastifyConfigOf(method: ControllerMethod): FastifyContextConfig {
  return reflector.get<FastifyContextConfig | undefined>(KEY, method) ?? {};
}

/**
 * Gives the Fastify routes of controllers what their decorators say of them, beside what `@RouteConfig()` says. To be
 * called before Nest adds its routes: in a module's `configure()`.
 * @param configOf a method, and what it was given before; undefined where nothing is to be added.
 */
export function configureRoutes(
  discovery: DiscoveryService,
  configOf: (
    controller: Type,
    method: ControllerMethod,
    known: FastifyContextConfig,
  ) => FastifyContextConfig | undefined,
): void {
  for (const controller of controllersOf(discovery)) {
    const prototype = controller.prototype as Record<string, ControllerMethod>;
    for (const name of scanner.getAllMethodNames(prototype)) {
      const { [name]: method } = prototype;
      if (method === undefined) continue;
      const known = fastifyConfigOf(method);
      const added = configOf(controller, method, known);
      if (added !== undefined) RouteConfig({ ...known, ...added })(controller, name, { value: method });
    }
  }
}
