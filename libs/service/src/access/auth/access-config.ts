import { isDeepStrictEqual } from 'node:util';

import type { ControllerMethod, HandledBy } from '../../http/nest/route-config.js';
import type { Type } from '@nestjs/common';
import type { FastifyContextConfig } from 'fastify';

import { declaredAccess, type DeclaredAccess } from './route-access.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';

/** @throws {StartRefusedError} Two controllers inherit the handler and declare different access. */
export function accessConfig(
  controller: Type,
  handler: ControllerMethod,
  { access }: FastifyContextConfig,
): Partial<DeclaredAccess> & { readonly handledBy: HandledBy } {
  const declared = declaredAccess(controller, handler);
  if (declared !== undefined && access !== undefined && !isDeepStrictEqual(access, declared.access)) {
    throw new StartRefusedError(
      `${controller.name}.${handler.name}() is inherited by controllers that give it different access.`,
    );
  }
  return { ...declared, handledBy: { controller, handler } };
}
