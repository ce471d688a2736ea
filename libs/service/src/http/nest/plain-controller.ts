import { applyDecorators, Controller, Injectable, type Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';

const classes = new WeakSet<Type>();

/**
 * Declares a controller whose handlers become Fastify routes: guards are the only Nest enhancers that run. Add it to
 * the `providers` of a module. Handlers may use `@Req()`, `@Res()`, `@Param()` and custom parameters.
 * @param options `guards`: whether global guards apply. They apply to every public route except `/health/*`.
 */
export function PlainController(path = '', { guards = true }: { readonly guards?: boolean } = {}): ClassDecorator {
  return applyDecorators(Injectable(), Controller(path), (type: object) => {
    classes.add(type as Type);
    unguarded[guards ? 'delete' : 'add'](type as Type);
  });
}

const unguarded = new WeakSet<Type>();

export function isGuarded(type: Type): boolean {
  return !unguarded.has(type);
}

export function plainControllersOf(discovery: DiscoveryService): Type[] {
  const types = discovery.getProviders().map(({ metatype }) => metatype as Type | null);
  return types.filter((type): type is Type => type !== null && classes.has(type));
}

/** Returns the controllers whose routes Nest adds. */
export function ordinaryControllersOf(discovery: DiscoveryService): Type[] {
  return discovery.getControllers().map(({ metatype }) => metatype as Type);
}

export function controllersOf(discovery: DiscoveryService): Type[] {
  return [...ordinaryControllersOf(discovery), ...plainControllersOf(discovery)];
}
