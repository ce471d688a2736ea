import { type PipeTransform, type Type, ValidationPipe } from '@nestjs/common';
import { PIPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import type { ApplicationConfig, DiscoveryService } from '@nestjs/core';

import { StartRefusedError } from '../../data/definition/start-refused.js';
import { ordinaryControllersOf } from './plain-controller.decorator.js';
import { handlersOf } from './route-config.js';

/** `RouteParamtypes` of Nest whose value may be an object that the client controls. */
const KINDS: Readonly<Record<string, string>> = { 3: '@Body()', 4: '@Query()', 5: '@Param()' };
const BODY = '3';

interface Parameter {
  readonly data: unknown;
  readonly pipes: readonly (Type<PipeTransform> | PipeTransform)[];
  readonly schema?: unknown;
}

/**
 * Refuses handlers whose parameters a `ValidationPipe` would not validate, because TypeScript has emitted no types.
 * @throws {StartRefusedError}
 */
export function requireKnownParameters(discovery: DiscoveryService, config: ApplicationConfig): void {
  const hasGlobalPipes = config.getGlobalPipes().length + config.getGlobalRequestPipes().length > 0;
  for (const [controller, name, handler] of handlersOf(ordinaryControllersOf(discovery))) {
    if (Reflect.hasMetadata('design:paramtypes', controller.prototype as object, name)) continue;
    const hasPipes = [handler, controller].some((target) => Reflect.hasMetadata(PIPES_METADATA, target));
    const unknown = unknownParameter(controller, name, hasGlobalPipes || hasPipes);
    if (unknown === undefined) continue;
    throw new StartRefusedError(
      `${controller.name}.${name}() has a ${unknown} whose class Nest does not know, so it would not be validated: set emitDecoratorMetadata in tsconfig.json, or use @JsonBody(Dto).`,
    );
  }
}

function unknownParameter(controller: Type, name: string, hasPipes: boolean): string | undefined {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, Parameter>;
  const unknown = Object.entries(parameters).flatMap(([key, { data, pipes, schema }]) => {
    const [kind = ''] = key.split(':');
    if (data !== undefined || schema !== undefined || pipes.some((pipe) => !isValidationPipe(pipe))) return [];
    return kind === BODY || hasPipes || pipes.length > 0 ? (KINDS[kind] ?? []) : [];
  });
  return unknown[0];
}

function isValidationPipe(pipe: Parameter['pipes'][number]): boolean {
  return pipe instanceof ValidationPipe || pipe === ValidationPipe;
}
