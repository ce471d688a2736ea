import { definitionOf, type DtoClass, type FieldDefinition } from './definition.js';
import type { JsonSchema } from './dto-class.js';

const IGNORED: JsonSchema = { readOnly: true, description: 'Set by the service; ignored in requests.' };

/**
 * The JSON Schema of the input of a class. `maxLength` counts code points, after trimming if `x-trimmed` is true.
 * Nested classes are inline.
 * @returns A new object.
 */
export function schemaOf(dto: DtoClass): JsonSchema {
  const { accepted: fields, readOnly } = definitionOf(dto);
  const properties: Record<string, JsonSchema> = {};
  for (const [name, field] of fields) properties[name] = fieldSchema(field);
  for (const name of readOnly) properties[name] = IGNORED;
  const required = [...fields].filter(([, field]) => field.absence === 'refused').map(([name]) => name);
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The JSON Schema of a class in responses: all fields except write-only ones, each required. */
export function shownSchemaOf(dto: DtoClass): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const [name, field] of definitionOf(dto).fields) {
    if (field.schema['writeOnly'] !== true) properties[name] = asShown(fieldSchema(field, shownSchemaOf));
  }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function asShown({ 'x-trimmed': _trimmed, ...field }: JsonSchema): JsonSchema {
  return field;
}

function fieldSchema(field: FieldDefinition, schemaOfNested = schemaOf): JsonSchema {
  const { nested, reference, absence } = field;
  const schema = reference === undefined ? field.schema : { ...field.schema, 'x-references': reference.target().name };
  const whole = nested === undefined ? schema : withNested(schema, schemaOfNested(nested()));
  // Not as `default`, for which client generators would treat the field as always present.
  if (typeof absence === 'object') return withSentence(whole, `Default: ${String(absence.value)}.`);
  return absence === 'null' || absence === 'kept or cleared' ? orNull(whole) : whole;
}

/** An `enum` of JSON Schema must list null too. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: words } = schema;
  return { ...schema, type: [type, 'null'], ...(Array.isArray(words) && { enum: [...(words as unknown[]), null] }) };
}

function withSentence({ description, ...schema }: JsonSchema, sentence: string): JsonSchema {
  return { ...schema, description: typeof description === 'string' ? `${description} ${sentence}` : sentence };
}

function withNested(schema: JsonSchema, nested: JsonSchema): JsonSchema {
  return schema['type'] === 'array' ? { ...schema, items: nested } : { ...nested, ...schema };
}
