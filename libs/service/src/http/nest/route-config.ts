import type { Type } from '@nestjs/common';
import { MetadataScanner, Reflector, type DiscoveryService } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

import { controllersOf } from './plain-controller.decorator.js';

export type ControllerMethod = (...args: never[]) => unknown;

/** The class and the method that guards see as `getClass()` and `getHandler()`. */
export interface HandledBy {
  readonly controller: Type;
  readonly handler: { readonly name: string };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Routes of a collection name a class of `collectionRoutes()`. */
    handledBy?: HandledBy;
  }
}

const { KEY } = RouteConfig({});

const scanner = new MetadataScanner();
const reflector = new Reflector();

export function fastifyConfigOf(method: ControllerMethod): FastifyContextConfig {
  return reflector.get<FastifyContextConfig | undefined>(KEY, method) ?? {};
}

/** Yields inherited methods, too. */
export function* handlersOf(
  controllers: readonly Type[],
): Generator<[controller: Type, name: string, method: ControllerMethod]> {
  for (const controller of controllers) {
    const prototype = controller.prototype as Record<string, ControllerMethod>;
    for (const name of scanner.getAllMethodNames(prototype)) {
      const { [name]: method } = prototype;
      if (method !== undefined) yield [controller, name, method];
    }
  }
}

/**
 * Adds to the Fastify config of all handlers. Call it before Nest adds its routes, such as in `configure()` of a
 * module.
 * @param configOf returns the addition for a method, given its current config.
 */
export function configureRoutes(
  discovery: DiscoveryService,
  configOf: (
    controller: Type,
    method: ControllerMethod,
    known: FastifyContextConfig,
  ) => FastifyContextConfig | undefined,
): void {
  for (const [controller, name, method] of handlersOf(controllersOf(discovery))) {
    const known = fastifyConfigOf(method);
    const added = configOf(controller, method, known);
    if (added !== undefined) RouteConfig({ ...known, ...added })(controller, name, { value: method });
  }
}
