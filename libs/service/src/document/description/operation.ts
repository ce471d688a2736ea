import type { ApiError } from '@items/conventions';
import type { DtoClass, JsonSchema } from '@items/fields';
import type { ListRules } from '@items/paging';

import type { Content, Presences } from '../openapi-document.js';
import type { Fields } from './resource-schemas.js';

/** Kind of success, which determines status, headers, parameters and possible errors. */
export type Ending = 'plain' | 'list' | 'created' | 'tagged' | 'replaced' | 'deleted' | 'done' | 'redirected';

/** Parts of a description that do not follow from the path, access rule and body. */
export interface OperationDescription {
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly ending: Ending;
  /** Status of a `plain` success. Default: 200. */
  readonly status?: number;
  /** Success body by media type. Default: no body. */
  readonly content?: Content;
  /** Instead of `content`: a class with field decorators. */
  readonly response?: DtoClass;
  readonly headers?: Presences;
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  /** Unique, in camelCase. Default: made of the names of controller and handler. */
  readonly id?: string;
  /** Name of the resource that the path identifies by id: `item`. */
  readonly resource?: string;
  readonly list?: ListRules;
  readonly query?: readonly QueryParameter[];
  readonly form?: FormDescription;
  /** The response shows a secret, so it is not replayed for an `Idempotency-Key`. */
  readonly secret?: boolean;
  readonly errors?: readonly ApiError[];
  readonly errorForm?: ErrorForm;
  /** Requests that the service sends, by name. */
  readonly webhooks?: Readonly<Record<string, SentRequest>>;
  /** Whether the route itself counts requests, so that responses have quota headers. */
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

/** A route of an app may omit options. Their defaults follow from class and method names. */
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

/** An error body other than the common one. SPEC §1.4 */
export interface ErrorForm {
  readonly content: (errors: readonly ApiError[]) => Content;
  readonly schemas?: Fields;
  readonly headers?: Presences;
}
