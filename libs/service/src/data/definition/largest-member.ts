import { MAX_BODY_BYTES, MAX_PAGE_SIZE } from '@items/conventions';
import { definitionOf, type FieldDefinition } from '@items/fields';

/** Read at once for a page: in a few milliseconds. */
const MAX_READ_BYTES = 4_194_304;
/** In UTF-8: of a code point. */
const MAX_BYTES_OF_A_CODE_POINT = 4;
/** A number, a word or a time with its name, and more than that. */
const SMALL_VALUE = 64;

/** So many members are read at once for a page, if each were as large as its fields allow: from 1 to 100. */
export function rowsAtOnce(fields: Iterable<FieldDefinition>): number {
  return Math.min(MAX_PAGE_SIZE, Math.max(1, Math.floor(MAX_READ_BYTES / largestOf(fields))));
}

/** Bytes of the largest member that can be stored. */
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
  // A text without a limit came in a body.
  return typeof maxLength === 'number' ? SMALL_VALUE + maxLength * MAX_BYTES_OF_A_CODE_POINT : MAX_BODY_BYTES;
}
