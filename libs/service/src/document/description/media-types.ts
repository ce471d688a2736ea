import type { JsonSchema } from '@items/fields';

import type { Content } from '../openapi-document.js';
import { exampleOf } from './example.js';

/** @param example Default: composed of the examples in the schema. */
export function json(schema: JsonSchema, example: unknown = exampleOf(schema), type = 'application/json'): Content {
  return { [type]: { schema, examples: { example: { value: example } } } };
}

export function htmlPage(description?: string): Content {
  const schema = { type: 'string', maxLength: 1_048_576, ...(description !== undefined && { description }) };
  return { 'text/html': { schema, examples: { page: { value: '<!doctype html>' } } } };
}

export function schemaRef(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
