import { applyDecorators, Controller, Injectable, type Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';

const classes = new WeakSet<Type>();

/**
 * Declares a controller whose handlers are routes of Fastify: of Nest's enhancers, only guards apply to them. A module lists
 * it in `providers`. Handlers take `@Req()`, `@Res()`, `@Param()` and custom parameters.
 * @param options `guards`: whether global guards apply, as to every public route; `/health/*` has none.
 */
export function PlainController(path = '', { guards = true }: { readonly guards?: boolean } = {}): ClassDecorator {
  return applyDecorators(Injectable(), Controller(path), (type: object) => {
    classes.add(type as Type);
    unguarded[guards ? 'delete' : 'add'](type as Type);
  });
}

const unguarded = new WeakSet<Type>();

/** Whether global guards apply to the routes of a plain controller. */
export function isGuarded(type: Type): boolean {
  return !unguarded.has(type);
}

/** Returns the classes of plain controllers that an application provides. */
export function plainControllersOf(discovery: DiscoveryService): Type[] {
  const types = discovery.getProviders().map(({ metatype }) => metatype as Type | null);
  return types.filter((type): type is Type => type !== null && classes.has(type));
}

/** Returns the classes whose methods are routes: controllers of Nest and plain ones. */
export function controllersOf(discovery: DiscoveryService): Type[] {
  return [...discovery.getControllers().map(({ metatype }) => metatype as Type), ...plainControllersOf(discovery)];
}
