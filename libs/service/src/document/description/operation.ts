import type { ApiError } from '@items/conventions';
import type { DtoClass, JsonSchema } from '@items/fields';
import type { ListRules } from '@items/paging';

import type { Content, Presences } from '../openapi-document.js';
import type { Fields } from './resource-schemas.js';

/** How a handler responds: by the method of HttpExchange of this name, or `plain` with 200. */
export type Ending = 'plain' | 'list' | 'created' | 'tagged' | 'replaced' | 'deleted' | 'done' | 'redirected';

/** Description of a route. The rest follows from its path, access rule and body. */
export interface OperationDescription {
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly ending: Ending;
  /** Status of a `plain` success. Default: 200. */
  readonly status?: number;
  /** Body of the success by media type. Omitted without a body. */
  readonly content?: Content;
  /** Instead of `content`: a class with field decorators. */
  readonly response?: DtoClass;
  readonly headers?: Presences;
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  /** camelCase and unique. Default: from the names of controller and handler. */
  readonly id?: string;
  /** Name of the resource that the path identifies by id: `item`. */
  readonly resource?: string;
  readonly list?: ListRules;
  readonly query?: readonly QueryParameter[];
  readonly form?: FormDescription;
  /** The response shows a secret, and is not replayed. */
  readonly secret?: boolean;
  readonly errors?: readonly ApiError[];
  readonly errorForm?: ErrorForm;
  /** Requests that the service sends in connection with the route, by name. */
  readonly webhooks?: Readonly<Record<string, SentRequest>>;
  /** Responses have quota headers, although the route has no access rule. */
  readonly counted?: boolean;
}

export interface SentRequest {
  readonly summary: string;
  readonly content: Content;
}

export interface QueryParameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface FormDescription {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, object>>;
}

const DESCRIPTION = 'items:operation';

/** A route of a team may omit all options. Defaults then follow from its names. */
export type OperationText = Partial<OperationDescription>;

/**
 * Describes a route; use `@DescribesCollection()` for routes of a collection.
 * @example
 * @Get('live')
 * @Operation({ tag: 'Health', summary: 'Whether the process runs', ending: 'plain', content: json(HEALTH) })
 */
export function Operation(description: OperationText): MethodDecorator {
  return (_controller, _name, descriptor) => {
    describeOperation(descriptor.value as object, description);
  };
}

export function describeOperation(handler: object, description: OperationText): void {
  Reflect.defineMetadata(DESCRIPTION, description, handler);
}

export function operationOf(handler: object): OperationText | undefined {
  return Reflect.getMetadata(DESCRIPTION, handler) as OperationText | undefined;
}

/** A format of errors other than the common one. SPEC §1.4 */
export interface ErrorForm {
  readonly content: (errors: readonly ApiError[]) => Content;
  readonly schemas?: Fields;
  readonly headers?: Presences;
}
