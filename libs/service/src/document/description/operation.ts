import type { ApiError } from '@items/conventions';
import type { DtoClass, JsonSchema } from '@items/fields';
import type { ListRules } from '@items/paging';

import type { Content, Presences } from '../openapi-document.js';
import type { ErrorForm } from './error-form.js';

/** How a handler responds: by the method of HttpExchange of this name, or `plain` with 200. */
export type Ending = 'plain' | 'list' | 'created' | 'tagged' | 'replaced' | 'deleted' | 'done' | 'redirected';

/** Description of a route. The rest follows from its path, access rule and body. */
export interface OperationDescription {
  /** Group of the route. */
  readonly tag: string;
  /** A few words, without a full stop. */
  readonly summary: string;
  /** Sentences for people. */
  readonly description?: string;
  readonly ending: Ending;
  /** Status of a `plain` success. Default: 200. */
  readonly status?: number;
  /** Media type → body of the success; omitted without a body. */
  readonly content?: Content;
  /** Class of the body of the success, with field decorators, in the place of `content`. */
  readonly response?: DtoClass;
  /** Additional headers of the success. */
  readonly headers?: Presences;
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  /** camelCase and unique. Default: from the names of controller and handler. */
  readonly id?: string;
  /** Name of the resource that the path identifies by id: `item`. */
  readonly resource?: string;
  readonly list?: ListRules;
  readonly query?: readonly QueryParameter[];
  readonly form?: FormDescription;
  /** Whether the response shows a secret, and is not replayed. */
  readonly secret?: boolean;
  readonly errors?: readonly ApiError[];
  readonly errorForm?: ErrorForm;
  /** Requests that the service sends in connection with the route: name → request. */
  readonly webhooks?: Readonly<Record<string, SentRequest>>;
  /** Whether responses have quota headers, although the route has no access rule. */
  readonly counted?: boolean;
}

export interface SentRequest {
  /** A few words, without a full stop. */
  readonly summary: string;
  readonly content: Content;
}

export interface QueryParameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface FormDescription {
  /** Name of its schema: `TokenRequest`. */
  readonly name: string;
  readonly schema: JsonSchema;
  /** By summary. */
  readonly examples: Readonly<Record<string, object>>;
}

const DESCRIPTION = 'items:operation';

/** Options of `@Operation()`. A route of a team may omit all of them. Defaults then follow from its names. */
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
