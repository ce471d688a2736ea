import { Reflector } from '@nestjs/core';
import type { Type } from '@nestjs/common';
import type { FastifyContextConfig } from 'fastify';

import type { ControllerMethod } from './route-config.js';

const READS_BODY = 'items:reads-body';

/** The handler, or each of the controller, reads its body itself: Fastify parses none. */
export const ReadsBody = Reflector.createDecorator();

const reflector = new Reflector();

/** Notes that a parameter of a handler judges what stands before the body, or reads it. */
export function noteReadsBody(handler: object): void {
  Reflect.defineMetadata(READS_BODY, true, handler);
}

/** What the route of a handler is given where the handler reads its body itself. @param maxBytes of the body. */
export function bodyConfig(
  controller: Type,
  handler: ControllerMethod,
  maxBytes: number | undefined,
): FastifyContextConfig | undefined {
  const isDecorated = reflector.getAllAndOverride<unknown>(ReadsBody.KEY, [handler, controller]) !== undefined;
  if (maxBytes === undefined && !isDecorated && !Reflect.hasMetadata(READS_BODY, handler)) return undefined;
  return { readsBody: maxBytes === undefined ? {} : { maxBytes } };
}
