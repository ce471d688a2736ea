/** The parts of OpenAPI 3.1 that the console reads, without references: see {@link dereference}. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly 'x-currency'?: string };
  readonly tags?: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
}

export type Method = 'get' | 'post' | 'put' | 'delete';

export type PathItem = Readonly<Partial<Record<Method, Operation>>> & Pick<Operation, 'parameters'>;

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
  /** Users who may call the operation, if they also have its scopes. Default: all. */
  readonly 'x-reached-by'?: 'owner' | 'admin';
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly maximum?: number;
  readonly maxLength?: number;
  /** Name of the collection whose member the value identifies. */
  readonly 'x-references'?: string;
}

/** Replaces each `$ref` by its target. */
export function dereference(document: ApiDocument): ApiDocument {
  // Copies each schema once, because a schema may refer to itself.
  const copies = new Map<object, object>();
  const copyOf = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    // A path such as `#/components/schemas/item`.
    if ('$ref' in value) return copyOf(String(value.$ref).split('/').slice(1).reduce(partOf, document));
    const known = copies.get(value);
    if (known !== undefined) return known;
    const copy: object = Array.isArray(value) ? [] : {};
    copies.set(value, copy);
    for (const [name, part] of Object.entries(value)) Reflect.set(copy, name, copyOf(part));
    return copy;
  };
  return copyOf(document) as ApiDocument;
}

function partOf(whole: unknown, name: string): unknown {
  return (whole as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')];
}

export function requestSchema({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content?.['application/json']?.schema;
}

/** The schema of the first successful response. */
export function responseSchema({ responses = {} }: Operation): Schema | undefined {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  return success?.[1].content?.['application/json']?.schema;
}

export function typesOf({ type = [] }: Schema): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

export function choicesOf({ enum: values = [] }: Schema): readonly string[] {
  return values.filter((value) => value !== null);
}
