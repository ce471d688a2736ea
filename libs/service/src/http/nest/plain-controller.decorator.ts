import { applyDecorators, Controller, Injectable, type Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';

/** Whether guards apply to a plain controller. */
const guarded = new WeakMap<Type, boolean>();

/**
 * Declares a controller whose handlers become Fastify routes: guards are the only Nest enhancers that run. Add it to
 * the `providers` of a module. Handlers may use `@Req()`, `@Res()`, `@Param()` and custom parameters.
 * @param options `guards`: false skips the global guards and those of the controller. Only `/health/*` uses it.
 */
export function PlainController(path = '', { guards = true }: { readonly guards?: boolean } = {}): ClassDecorator {
  return applyDecorators(Injectable(), Controller(path), (type: object) => {
    guarded.set(type as Type, guards);
  });
}

export function isGuarded(type: Type): boolean {
  return guarded.get(type) !== false;
}

export function plainControllersOf(discovery: DiscoveryService): Type[] {
  const types = discovery.getProviders().map(({ metatype }) => metatype as Type | null);
  return types.filter((type): type is Type => type !== null && guarded.has(type));
}

/** Returns the controllers whose routes Nest adds. */
export function ordinaryControllersOf(discovery: DiscoveryService): Type[] {
  return discovery.getControllers().map(({ metatype }) => metatype as Type);
}

export function controllersOf(discovery: DiscoveryService): Type[] {
  return [...ordinaryControllersOf(discovery), ...plainControllersOf(discovery)];
}
