import { Reflector } from '@nestjs/core';
import type { Type } from '@nestjs/common';
import type { FastifyContextConfig } from 'fastify';

import type { ControllerMethod } from './route-config.js';

const READS_BODY = 'items:reads-body';

/** Marks handlers that read the body themselves: Fastify does not parse it. */
export const ReadsBody = Reflector.createDecorator();

const reflector = new Reflector();

/** Marks a handler with a parameter that validates the head or reads the body. */
export function noteReadsBody(handler: object): void {
  Reflect.defineMetadata(READS_BODY, true, handler);
}

export function bodyConfig(
  controller: Type,
  handler: ControllerMethod,
  maxBytes: number | undefined,
): FastifyContextConfig | undefined {
  const isDecorated = reflector.getAllAndOverride<unknown>(ReadsBody.KEY, [handler, controller]) !== undefined;
  if (maxBytes === undefined && !isDecorated && !Reflect.hasMetadata(READS_BODY, handler)) return undefined;
  return { readsBody: maxBytes === undefined ? {} : { maxBytes } };
}
