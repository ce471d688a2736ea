import type { DtoClass } from '@items/dtos';

import type { RouteAccess } from '../auth/route-access.js';
import type { OperationDescription } from './description/operation.js';

/** All that is known of a route: the document is made of this alone. */
export interface Route {
  /** In lower case. */
  readonly method: string;
  /** As OpenAPI writes it: `/items/{id}`. */
  readonly path: string;
  readonly access: RouteAccess;
  /** Undefined where the route takes no body. */
  readonly body: DtoClass | undefined;
  /** Unique. */
  readonly id: string;
  readonly description: OperationDescription;
}
