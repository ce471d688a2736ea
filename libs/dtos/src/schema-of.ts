import { definitionOf, type DtoClass, type FieldDefinition } from './definition.js';
import type { JsonSchema } from './json-schema.js';

const IGNORED: JsonSchema = { readOnly: true, description: 'Set by the service; ignored where it is sent back.' };

/**
 * What a class accepts, as a JSON Schema for the API's documentation. `maxLength` counts code points, as JSON Schema
 * does; of a text that is trimmed, marked `x-trimmed`, it means the trimmed text.
 * @returns a new object: `type`, `properties`, `required`, and `additionalProperties: false`; nested classes stand inline.
 */
export function schemaOf(dto: DtoClass): JsonSchema {
  const { fields, readOnly } = definitionOf(dto);
  const properties: Record<string, JsonSchema> = {};
  for (const [name, field] of fields) properties[name] = fieldSchema(field);
  for (const name of readOnly) properties[name] = IGNORED;
  const required = [...fields].filter(([, field]) => field.absence === 'refused').map(([name]) => name);
  return { type: 'object', properties, required, additionalProperties: false };
}

function fieldSchema({ schema, nested, absence }: FieldDefinition): JsonSchema {
  const whole = nested === undefined ? schema : withNested(schema, schemaOf(nested()));
  if (typeof absence === 'object') return { ...whole, default: absence.value };
  return absence === 'null' ? { ...whole, type: [whole['type'], 'null'], default: null } : whole;
}

function withNested(schema: JsonSchema, nested: JsonSchema): JsonSchema {
  return schema['type'] === 'array' ? { ...schema, items: nested } : { ...nested, ...schema };
}
