/** The parts of OpenAPI 3.1 that the console reads. */
export interface Reference {
  readonly $ref: string;
}

export type MaybeReference<T> = T | Reference;

export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, MaybeReference<Schema>>>;
  readonly items?: MaybeReference<Schema>;
  readonly oneOf?: readonly MaybeReference<Schema>[];
  readonly required?: readonly string[];
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly maximum?: number;
  readonly maxLength?: number;
  /** Name of the collection whose member the value identifies. */
  readonly 'x-references'?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: MaybeReference<Schema>;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: MaybeReference<Schema> }>>;
}

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly MaybeReference<Parameter>[];
  readonly requestBody?: MaybeReference<Content>;
  readonly responses?: Readonly<Record<string, MaybeReference<Content>>>;
  /** Who else than those with the scope is refused. */
  readonly 'x-reached-by'?: 'owner' | 'admin';
}

export type Method = 'get' | 'post' | 'put' | 'delete';

export type PathItem = Readonly<Partial<Record<Method, Operation>>> & {
  readonly parameters?: readonly MaybeReference<Parameter>[];
};

export interface ApiDocument {
  readonly info: { readonly title: string; readonly 'x-currency'?: string };
  readonly tags?: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: Readonly<Record<string, unknown>>;
}

/** Follows references within a document. */
export type Resolve = <T extends object>(value: MaybeReference<T> | undefined) => T | undefined;

export function resolverOf(document: ApiDocument): Resolve {
  const resolve = <T extends object>(value: MaybeReference<T> | undefined): T | undefined => {
    if (value === undefined || !('$ref' in value)) return value;
    const parts = value.$ref.slice(2).split('/');
    let found: unknown = document;
    for (const part of parts) {
      found = (found as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    }
    return resolve(found as MaybeReference<T> | undefined);
  };
  return resolve;
}

const JSON_TYPE = 'application/json';

export function requestSchema(resolve: Resolve, operation: Operation): Schema | undefined {
  return resolve(resolve(operation.requestBody)?.content?.[JSON_TYPE]?.schema);
}

/** The schema of the first successful response. */
export function responseSchema(resolve: Resolve, operation: Operation): Schema | undefined {
  const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'));
  return resolve(resolve(success?.[1])?.content?.[JSON_TYPE]?.schema);
}
