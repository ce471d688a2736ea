import type { ApiError } from '@items/conventions';
import type { DtoClass } from '@items/fields';
import type { BodyRule } from '../http/nest/json-body.js';
import type { Type } from '@nestjs/common';
import type { FastifyContextConfig } from 'fastify';

import type { OperationDescription } from './description/operation.js';
import type { SecurityRequirement } from './openapi-document.js';

/** A method of a controller. */
export interface Handler {
  readonly name: string;
}

/** Where a route is, and what serves it: a method of a controller, or a collection. */
export interface HandlerRoute {
  readonly controller: Type;
  readonly handler: Handler;
  /** Of a collection's route: what Fastify was told of it. */
  readonly config?: FastifyContextConfig;
  /** In lower case. */
  readonly method: string;
  /** As OpenAPI writes it: `/items/{id}`. */
  readonly path: string;
}

/** What a route asks of its callers. */
export interface RouteAccess {
  /** Ends the description of the operation: ``Needs the scope `books:write`.`` */
  readonly sentence?: string;
  /** The scope that a credential needs. */
  readonly scope?: string;
  /** `owner`: only the user that the path names, and administrators. `admin`: only administrators. */
  readonly reachedBy?: 'owner' | 'admin';
  /** Of which one is enough; empty where no credential is needed. */
  readonly security: readonly SecurityRequirement[];
  /** Whether answers say where a quota stands. */
  readonly counted: boolean;
  /** How the route refuses callers, in the order in which it judges. */
  readonly errors: readonly ApiError[];
}

/** A body that is judged by a class. */
export type DescribedBody = Pick<BodyRule, 'maxBytes'> & { readonly dto: DtoClass };

/** All that is known of a route: the document is made of this alone. */
export interface Route extends HandlerRoute {
  readonly access: RouteAccess;
  /** Undefined where the route takes no body, or any JSON. */
  readonly body: DescribedBody | undefined;
  /** Unique. */
  readonly id: string;
  readonly description: OperationDescription;
}
