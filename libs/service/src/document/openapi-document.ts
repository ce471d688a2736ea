import type { JsonSchema } from '@items/fields';

/* Objects of OpenAPI 3.1 §4.8, with the extensions (`x-…`) of this service. */

export interface Reference {
  readonly $ref: string;
}

export type Presence = 'always' | 'sometimes';

export type Presences = Readonly<Record<string, Presence>>;

/** Scopes by scheme, all required. OpenAPI 3.1 §4.8.30 */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface HeaderObject {
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example: string | number;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly style?: 'form';
  readonly explode?: boolean;
  /** The service accepts other values, too; the description explains how it treats them. */
  readonly 'x-lenient'?: true;
}

export interface MediaTypeObject {
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, { readonly summary?: string; readonly value: unknown } | Reference>>;
}

export type Content = Readonly<Record<string, MediaTypeObject>>;

export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

export type Responses = Readonly<Record<string, ResponseObject | Reference>>;

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (ParameterObject | Reference)[];
  readonly requestBody?: { readonly required: true; readonly description: string; readonly content: Content };
  readonly responses: Responses;
  readonly security: readonly SecurityRequirement[];
  readonly 'x-required-scope'?: string;
  /** `owner`: only the user in the path and administrators have access. `admin`: only administrators. */
  readonly 'x-reached-by'?: 'owner' | 'admin';
}

export type PathItem = Readonly<Record<string, OperationObject>> & {
  readonly parameters?: readonly ParameterObject[];
  readonly 'x-other-methods': { readonly responses: Responses };
};

export interface InfoObject {
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  /** Markdown with paragraphs, **bold** and `code`. */
  readonly description?: string;
  /** ISO 4217 currency of all amounts. */
  readonly 'x-currency'?: string;
  readonly license?: { readonly name: string; readonly identifier?: string };
  readonly contact?: { readonly name: string; readonly email?: string; readonly url?: string };
}

export interface ServerObject {
  readonly url: string;
  readonly description?: string;
  readonly 'x-internal'?: boolean;
}

export type Named<T> = Readonly<Record<string, T>>;

/** A request that the service sends to a configured address. OpenAPI 3.1 §4.8.1 */
export interface WebhookObject {
  readonly post: Omit<OperationObject, 'responses'> & { readonly responses: Named<{ readonly description: string }> };
}

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
  readonly 'x-other-paths': { readonly responses: Responses };
}
