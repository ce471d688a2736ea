/** The checked parts of an OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, PathItem>>;
  /** Extension: the responses of every path without an entry. */
  readonly 'x-other-paths'?: Operation;
}

/** Operations by method, in lower case, and their shared parameters. */
export type PathItem = Readonly<Record<string, Operation>> & {
  readonly parameters?: readonly (Parameter | Reference)[];
  /** Extension: the responses to every method without an entry. */
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
  /** Extension: the service also accepts other values. See the parameter's description. */
  readonly 'x-lenient'?: boolean;
}

/** The parts of a schema that are needed to parse a text. */
export interface TextSchema {
  readonly type?: string;
  readonly items?: TextSchema;
}

export interface Response {
  /** Names are compared in any case. */
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>;
}

export interface HeaderObject {
  readonly required?: boolean;
  readonly schema?: TextSchema;
}

export interface Reference {
  readonly $ref: string;
}

/** A value in the document with its JSON pointer, from which schemas are compiled. */
export interface Located<T> {
  readonly value: T;
  /** RFC 6901, as a fragment: `#/paths/~1items/get`. */
  readonly pointer: string;
}

export function step<T>(from: Located<unknown>, ...names: readonly string[]): Located<T> | undefined {
  let { value, pointer } = from;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
    pointer += `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return { value: value as T, pointer };
}

/** @throws {Error} a reference has no target. */
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
