import type { JsonSchema } from '@items/dtos';
import type { ApiError } from '@items/errors';
import type { ListRules } from '@items/paging';

import type { MediaTypeObject } from '../document/openapi-document.js';

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
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
  /** Headers of the success beyond those that follow from its ending. */
  readonly headers?: readonly string[];
  /** Component schemas that the content refers to. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  /** camelCase and unique; made of the controller's and the handler's names where it is left out. */
  readonly id?: string;
  /** One resource in words, where the path names one by its id: `item`. */
  readonly resource?: string;
  /** What the list may be asked for. */
  readonly list?: ListRules;
  /** Whether the answer shows a secret, and is not repeated. */
  readonly secret?: boolean;
  /** Errors beyond those that follow from what the route is. */
  readonly errors?: readonly ApiError[];
  /** How errors are shown where they have not the one body of all others: as the OAuth RFCs have it, or as a page. */
  readonly errorForm?: 'oauth' | 'page';
  /** Counts clients that prove themselves instead of credentials. decisions §8 */
  readonly countsClients?: true;
}

const DESCRIPTION = 'items:operation';

/**
 * Describes a route of its own kind; the routes of a collection are described by `@DescribesCollection()`.
 * @example
 * @Get('live')
 * @Operation({ tag: 'Health', summary: 'Whether the process answers', ending: 'plain', content: json(HEALTH) })
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
