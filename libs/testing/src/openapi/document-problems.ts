import { documentSchemas } from './document-schemas.js';
import type { OpenApiDocument } from './openapi-document.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Part = Readonly<Record<string, Json>>;

/** References without a target, and components without a reference. */
export function referenceProblems(document: object): string[] {
  const references = [...partsOf(document as Json)].flatMap(([{ $ref }]) => (typeof $ref === 'string' ? [$ref] : []));
  const dangling = references.filter((reference) => valueAt(document as Json, reference) === undefined);
  const { components = {} } = document as { readonly components?: Readonly<Record<string, object>> };
  const names = Object.entries(components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, entries]) => Object.keys(entries).map((name) => `#/components/${kind}/${name}`));
  const unused = names.filter((name) => !references.includes(name));
  return [...dangling.map((name) => `${name} leads nowhere`), ...unused.map((name) => `${name} is not used`)];
}

/**
 * Examples that violate their schema, and schemas of bodies, headers and parameters without an example.
 * @returns also the number of checked examples.
 */
export function exampleProblems(document: object): { readonly problems: readonly string[]; readonly judged: number } {
  const judge = documentSchemas(document as OpenApiDocument);
  const problems: string[] = [];
  let judged = 0;
  const judgeAll = (schema: Json, schemaPointer: string, values: readonly (Json | undefined)[], at: string): void => {
    judged += values.length;
    problems.push(...values.flatMap((value) => judge({ value: schema, pointer: schemaPointer }, value, at)));
  };
  for (const [part, pointer] of partsOf(document as Json)) {
    const { schema, examples, example } = part;
    if (Array.isArray(examples)) judgeAll(part, pointer, examples, pointer);
    if (typeof schema !== 'object' || schema === null) continue;
    const named = Array.isArray(examples) ? [] : Object.values((examples ?? {}) as Record<string, Part>);
    const values = named.map(({ $ref, value }) =>
      typeof $ref === 'string' ? valueAt(document as Json, `${$ref}/value`) : value,
    );
    const all = example === undefined ? values : [...values, example];
    if (all.length === 0) problems.push(`${pointer} has no example`);
    judgeAll(schema, `${pointer}/schema`, all, pointer);
  }
  return { problems, judged };
}

/** Returns the value at a JSON pointer, such as `#/components/schemas/Item`. */
function valueAt(document: Json, pointer: string): Json | undefined {
  const names = pointer.split('/').slice(1);
  return names.reduce<Json | undefined>((place, name) => {
    const own = name.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof place === 'object' && place !== null ? (place as Part)[own] : undefined;
  }, document);
}

/** Yields every object of the document with its JSON pointer. */
function* partsOf(value: Json, pointer = '#'): Generator<readonly [Part, string]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [value as Part, pointer];
  for (const [name, child] of Object.entries(value)) {
    yield* partsOf(child as Json, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}
