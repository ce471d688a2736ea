/** The parts of an OpenAPI 3.1 document that say what an answer may be. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, PathItem>>;
  /** Extension: the answers of every path that has no entry. */
  readonly 'x-other-paths'?: Operation;
}

/** The operations of a path by method, in lower case; beside them, what all of them share. */
export type PathItem = Readonly<Record<string, Operation>> & {
  readonly parameters?: readonly (Parameter | Reference)[];
  /** Extension: the answers to every method that has no entry. */
  readonly 'x-other-methods'?: Operation;
};

export interface Operation {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: unknown }>> };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema?: TextSchema;
  /** Extension: the service takes other values, too, and its description says what it does with them. */
  readonly 'x-lenient'?: boolean;
}

/** As much of a schema as is needed to read a text as what it speaks of. */
export interface TextSchema {
  readonly type?: string;
  readonly items?: TextSchema;
}

export interface Response {
  /** By name; names are compared in any case. */
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>;
  /** By media type. */
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>;
}

export interface HeaderObject {
  readonly required?: boolean;
  readonly schema?: TextSchema;
}

export interface Reference {
  readonly $ref: string;
}

/** A place in the document: what stands there, and the JSON pointer to it, which schemas are compiled from. */
export interface Located<T> {
  readonly value: T;
  /** RFC 6901, as a fragment: `#/paths/~1items/get`. */
  readonly pointer: string;
}

/** Follows one step into the document. */
export function step<T>(from: Located<unknown>, ...names: readonly string[]): Located<T> | undefined {
  let { value, pointer } = from;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
    pointer += `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return { value: value as T, pointer };
}

/** Follows references until there is none. @throws {Error} where one leads nowhere. */
export function resolve<T>(document: OpenApiDocument, place: Located<T | Reference>): Located<T> {
  const { value } = place;
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return place as Located<T>;
  const names = value.$ref
    .replace(/^#\//, '')
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = step<T | Reference>({ value: document, pointer: '#' }, ...names);
  if (target === undefined) throw new Error(`The document refers to nothing: ${value.$ref}`);
  return resolve(document, target);
}
