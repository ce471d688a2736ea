import type { HttpClient } from '@items/testing';

import type { OddRequest } from './blocking.js';
import { encoded, inHeader } from './texts.js';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly description: string;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

/** The parts of the OpenAPI document that describe inputs. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const ID = '01890000-0000-7000-8000-000000000000';
/** Maximum size of a value in the request line or headers, which also contain ordinary parts. */
const HEAD_BYTES = 15_000;

/** Returns the longest possible value of every documented parameter, header and field of each route. */
export function documentedInputs(document: Document, key: string): OddRequest[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => ['get', 'put', 'post', 'delete'].includes(method))
      .flatMap(([method, operation]) => inputsOf({ document, key, path, method: method.toUpperCase(), operation })),
  );
}

interface Route {
  readonly document: Document;
  readonly key: string;
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function inputsOf(route: Route): OddRequest[] {
  const { document, path, operation } = route;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([whole, name]) => {
    const target = path.replace(
      whole,
      encoded((length) => `,${' '.repeat(length)}x`, HEAD_BYTES),
    );
    return request(route, `path ${String(name)}`, HEAD_BYTES, { target: filled(target) });
  });
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter));
  return [...inPath, ...parameters.map((parameter) => parameterInput(route, parameter)), ...bodyInputs(route)];
}

function parameterInput(route: Route, { name, in: place }: Parameter): OddRequest {
  const target = filled(route.path);
  if (place === 'header') {
    const value = inHeader((length) => `,${' '.repeat(length)}x`, HEAD_BYTES);
    return request(route, `header ${name}`, HEAD_BYTES, { target, headers: [[name, value]] });
  }
  const value = encoded((length) => 'red,'.repeat(length / 4), HEAD_BYTES);
  return request(route, `query ${name}`, HEAD_BYTES, { target: `${target}?${name}=${value}` });
}

function bodyInputs(route: Route): OddRequest[] {
  const { requestBody } = route.operation;
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {});
  if (requestBody === undefined || type === undefined || content === undefined) return [];
  const bytes = (requestBody.description.includes('MiB') ? 1_048_576 : 16_384) - 200;
  const fields = fieldsOf(route.document, content.schema);
  const target = filled(route.path);
  return fields.flatMap((field) =>
    (type === 'application/json'
      ? jsonBodies(field, bytes)
      : [`${field.join('.')}=${'%CC%80%CC%96'.repeat(bytes / 12)}`]
    ).map((body, index) =>
      request(route, `field ${field.join('.')} (${String(index)})`, bytes, {
        target,
        headers: [['Content-Type', type]],
        body,
      }),
    ),
  );
}

/** Returns bodies with a text that is slow to normalise, and a number that is slow to compare. */
function jsonBodies(field: readonly string[], bytes: number): string[] {
  const marks = `"a${'\u0300'.repeat(bytes / 4)}${'\u0316'.repeat(bytes / 4 - 10)}"`;
  return [marks, `1${'0'.repeat(bytes - 100)}1`].map((value) =>
    field.reduceRight((inner, name) => (name === '[]' ? `[${inner}]` : `{"${name}":${inner}}`), value),
  );
}

/** The path of each field: `['lines', '[]', 'quantity']`. */
function fieldsOf(document: Document, schema: Schema, path: readonly string[] = []): (readonly string[])[] {
  const { properties, items } = resolved(document, schema);
  if (items !== undefined) return [...(path.length > 0 ? [path] : []), ...fieldsOf(document, items, [...path, '[]'])];
  if (properties === undefined) return [path];
  return [
    path,
    ...Object.entries(properties).flatMap(([name, field]) => fieldsOf(document, field, [...path, name])),
  ].filter((field) => field.length > 0);
}

function resolved<T extends { readonly $ref?: string }>(document: Document, value: T): T {
  if (value.$ref === undefined) return value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  return resolved(document, document.components[kind]?.[name] as T);
}

function filled(path: string): string {
  return path.replaceAll(/\{\w+\}/g, ID);
}

function request(
  { key, method, path }: Route,
  title: string,
  bytes: number,
  { target, headers = [], body }: { target: string; headers?: [string, string][]; body?: string },
): OddRequest {
  const needsNone = path.startsWith('/oauth') || path === '/sessions';
  const credential: [string, string][] = needsNone && method === 'POST' ? [] : [['X-API-Key', key]];
  return {
    title: `${method} ${path}, ${title}`,
    bytes,
    send: (client: HttpClient) =>
      client.send(method, target, { headers: [...credential, ...headers], ...(body !== undefined && { body }) }),
  };
}
