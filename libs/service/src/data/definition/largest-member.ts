import { MAX_BODY_BYTES, MAX_PAGE_SIZE } from '@items/conventions';
import { definitionOf, type FieldDefinition } from '@items/fields';

/** A read of this size takes a few milliseconds. */
const MAX_READ_BYTES = 4_194_304;
const MAX_BYTES_OF_A_CODE_POINT = 4;
const SMALL_VALUE = 64;

export function rowsPerRead(fields: Iterable<FieldDefinition>): number {
  return Math.min(MAX_PAGE_SIZE, Math.max(1, Math.floor(MAX_READ_BYTES / largestOf(fields))));
}

function largestOf(fields: Iterable<FieldDefinition>): number {
  let bytes = 0;
  for (const field of fields) bytes += largestValue(field);
  return bytes;
}

function largestValue({ schema, nested }: FieldDefinition): number {
  const { maxItems } = schema;
  const count = typeof maxItems === 'number' ? maxItems : 1;
  if (nested !== undefined) return count * largestOf(definitionOf(nested()).fields.values());
  return count * largestText(schema['type'] === 'array' ? (schema['items'] as FieldDefinition['schema']) : schema);
}

function largestText({ type, maxLength, enum: words }: FieldDefinition['schema']): number {
  if (![type].flat().includes('string') || words !== undefined) return SMALL_VALUE;
  // The body limit applies to a text without a maximum length.
  return typeof maxLength === 'number' ? SMALL_VALUE + maxLength * MAX_BYTES_OF_A_CODE_POINT : MAX_BODY_BYTES;
}
