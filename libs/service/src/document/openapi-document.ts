import type { JsonSchema } from '@items/fields';

/** Points to a component: `#/components/headers/ETag`. */
export interface Reference {
  readonly $ref: string;
}

/** Whether an answer has a header always, or only now and then. */
export type Presence = 'always' | 'sometimes';

/** Header → how often it is there. */
export type Presences = Readonly<Record<string, Presence>>;

/** Way to authenticate → scopes, which are all needed. OpenAPI 3.1 §4.8.30 */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** What a header holds. OpenAPI 3.1 §4.8.21 */
export interface HeaderObject {
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example: string | number;
}

/** A parameter in the path, the query or a header. OpenAPI 3.1 §4.8.12 */
export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly style?: 'form';
  readonly explode?: boolean;
  /** The service takes other values, too; the description says what it does with them. */
  readonly 'x-lenient'?: true;
}

/** A body in one media type. OpenAPI 3.1 §4.8.14 */
export interface MediaTypeObject {
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, { readonly summary?: string; readonly value: unknown } | Reference>>;
}

/** Media type → body. */
export type Content = Readonly<Record<string, MediaTypeObject>>;

/** One answer. OpenAPI 3.1 §4.8.17 */
export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

/** Status → answer. */
export type Responses = Readonly<Record<string, ResponseObject | Reference>>;

/** A method of a path. OpenAPI 3.1 §4.8.10 */
export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (ParameterObject | Reference)[];
  readonly requestBody?: { readonly required: true; readonly description: string; readonly content: Content };
  readonly responses: Responses;
  readonly security: readonly SecurityRequirement[];
  /** The scope that a credential needs; absent where none is needed. */
  readonly 'x-required-scope'?: string;
  /** Who else than callers with the scope is refused: all but the user in the path and administrators, or all but those. */
  readonly 'x-reached-by'?: 'owner' | 'admin';
}

/** The methods of a path, in lower case. */
export type PathItem = Readonly<Record<string, OperationObject>> & {
  readonly parameters?: readonly ParameterObject[];
  /** What every method answers that is not listed; HEAD is as GET. */
  readonly 'x-other-methods': { readonly responses: Responses };
};

/** What the document is about. OpenAPI 3.1 §4.8.2 */
export interface InfoObject {
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  /** Paragraphs, **bold** words and `code`, as Markdown has them. */
  readonly description?: string;
  /** ISO 4217: of all amounts of money. */
  readonly 'x-currency'?: string;
  readonly license?: { readonly name: string; readonly identifier?: string };
  readonly contact?: { readonly name: string; readonly email?: string; readonly url?: string };
}

/** Where the service is. OpenAPI 3.1 §4.8.5 */
export interface ServerObject {
  readonly url: string;
  readonly description?: string;
  readonly 'x-internal'?: boolean;
}

/** Components by name, of one kind. */
export type Named<T> = Readonly<Record<string, T>>;

/** What the service itself sends to an address that somebody has given. OpenAPI 3.1 §4.8.1 */
export interface WebhookObject {
  /** Its answers are those of the receiver. */
  readonly post: Omit<OperationObject, 'responses'> & { readonly responses: Named<{ readonly description: string }> };
}

/** The document as it is served. OpenAPI 3.1 §4.8.1 */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: InfoObject;
  readonly servers: readonly [ServerObject];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly SecurityRequirement[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: Named<WebhookObject>;
  readonly components: {
    readonly securitySchemes: Named<unknown>;
    readonly schemas: Named<JsonSchema>;
    readonly responses: Named<ResponseObject>;
    readonly headers: Named<HeaderObject>;
    readonly parameters: Named<ParameterObject>;
    readonly examples: Named<{ readonly summary: string; readonly value: unknown }>;
  };
  /** What every path answers that is not listed. */
  readonly 'x-other-paths': { readonly responses: Responses };
}
