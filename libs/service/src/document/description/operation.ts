import type { ApiError } from '@items/conventions';
import type { JsonSchema } from '@items/fields';
import type { ListRules } from '@items/paging';

import type { Content, Presences } from '../openapi-document.js';
import type { ErrorForm } from './error-form.js';

/** How a handler ends: in the method of HttpExchange of this name, or plainly with 200. */
export type Ending = 'plain' | 'list' | 'created' | 'tagged' | 'replaced' | 'deleted' | 'done' | 'redirected';

/** What a route says about itself; the rest follows from its path, its access rule and its body. */
export interface OperationDescription {
  /** Name of the group in which the route is shown. */
  readonly tag: string;
  /** A few words, without a full stop. */
  readonly summary: string;
  /** Sentences for people. */
  readonly description?: string;
  readonly ending: Ending;
  /** Media type → body of the success; left out where it has none. */
  readonly content?: Content;
  /** Headers of the success beyond those that follow from its ending. */
  readonly headers?: Presences;
  /** Component schemas that the content refers to. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  /** camelCase and unique; made of the controller's and the handler's names where it is left out. */
  readonly id?: string;
  /** One resource in words, where the path names one by its id: `item`. */
  readonly resource?: string;
  /** What the list may be asked for. */
  readonly list?: ListRules;
  /** What the query holds, where the route is no list. */
  readonly query?: readonly QueryParameter[];
  /** The fields of a form, where the body is one. */
  readonly form?: FormDescription;
  /** Whether the answer shows a secret, and is not repeated. */
  readonly secret?: boolean;
  /** Errors beyond those that follow from what the route is. */
  readonly errors?: readonly ApiError[];
  /** Where errors have not the one form of all others. */
  readonly errorForm?: ErrorForm;
  /** What the service sends to others in connection with the route: name → request. */
  readonly webhooks?: Readonly<Record<string, SentRequest>>;
  /** Whether answers say where a quota stands, though the route asks nothing of its callers. */
  readonly counted?: boolean;
}

/** A request that the service itself sends. */
export interface SentRequest {
  /** A few words, without a full stop. */
  readonly summary: string;
  readonly content: Content;
}

/** A parameter of the query. */
export interface QueryParameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** A body of `application/x-www-form-urlencoded`. */
export interface FormDescription {
  /** Of its schema: `TokenRequest`. */
  readonly name: string;
  readonly schema: JsonSchema;
  /** By what they show. */
  readonly examples: Readonly<Record<string, object>>;
}

const DESCRIPTION = 'items:operation';

/**
 * Describes a route of its own kind; the routes of a collection are described by `@DescribesCollection()`.
 * @example
 * @Get('live')
 * @Operation({ tag: 'Health', summary: 'Whether the process runs', ending: 'plain', content: json(HEALTH) })
 */
export function Operation(description: OperationDescription): MethodDecorator {
  return (_controller, _name, descriptor) => {
    describeOperation(descriptor.value as object, description);
  };
}

export function describeOperation(handler: object, description: OperationDescription): void {
  Reflect.defineMetadata(DESCRIPTION, description, handler);
}

/** Undefined where the handler says nothing. */
export function operationOf(handler: object): OperationDescription | undefined {
  return Reflect.getMetadata(DESCRIPTION, handler) as OperationDescription | undefined;
}
