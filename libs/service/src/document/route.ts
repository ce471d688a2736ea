import type { ApiError } from '@items/conventions';
import type { DtoClass } from '@items/fields';
import type { BodyRule } from '../http/nest/json-body.js';
import type { Type } from '@nestjs/common';
import type { FastifyContextConfig } from 'fastify';

import type { OperationDescription } from './description/operation.js';
import type { SecurityRequirement } from './openapi-document.js';

export interface Handler {
  readonly name: string;
}

export interface HandlerRoute {
  readonly controller: Type;
  readonly handler: Handler;
  readonly config?: FastifyContextConfig;
  readonly method: string;
  readonly path: string;
}

export interface RouteAccess {
  /** Appended to the description: ``Needs the scope `books:write`.`` */
  readonly sentence?: string;
  readonly scope?: string;
  readonly reachedBy?: 'owner' | 'admin';
  /** Alternative credentials: one of them suffices. Empty if none is needed. */
  readonly security: readonly SecurityRequirement[];
  readonly counted: boolean;
  readonly errors: readonly ApiError[];
}

export type DescribedBody = Pick<BodyRule, 'maxBytes'> & { readonly dto: DtoClass };

export interface Route extends HandlerRoute {
  readonly access: RouteAccess;
  /** Undefined if the route takes no body, or accepts any JSON. */
  readonly body: DescribedBody | undefined;
  readonly id: string;
  readonly description: OperationDescription;
}
