import type { FieldDefinition } from '@items/fields';

/**
 * Bytes of JSON that the sort keys of one cursor may take: what its 4096 characters leave beside the clocks of 16 lanes, the
 * id, and what it is authenticated by.
 */
export const MAX_KEY_BYTES = 2702;

/** A control character in JSON: `\u0001`. No other code point takes more. */
const BYTES_OF_A_CODE_POINT = 6;
/** Most code points of a text by which lists are sorted. */
export const MAX_SORTABLE_TEXT = 450;
const QUOTES = 2;
/** The longest that a double is in JSON. */
const BYTES_OF_A_NUMBER = 24;

/**
 * Bytes that a field takes as a sort key at most.
 * @throws {Error} it has no room in a cursor.
 */
export function keyBytesOf(name: string, { schema, kind }: FieldDefinition): number {
  const { type, enum: words, maxLength } = schema;
  if (kind !== 'plain' || type !== 'string') return BYTES_OF_A_NUMBER;
  if (Array.isArray(words)) return Math.max(...words.map((word) => Buffer.byteLength(JSON.stringify(word))));
  if (typeof maxLength === 'number' && maxLength <= MAX_SORTABLE_TEXT)
    return maxLength * BYTES_OF_A_CODE_POINT + QUOTES;
  const most = String(MAX_SORTABLE_TEXT);
  throw new Error(
    `@Sortable() on "${name}": a text that lists are sorted by is at most ${most} characters long; say so by max.`,
  );
}

/** Whether these sort keys have room in one cursor, whatever their values are. @param bytes of each of them at most. */
export function haveRoom(bytes: readonly number[]): boolean {
  const commas = Math.max(0, bytes.length - 1);
  return bytes.reduce((sum, each) => sum + each, commas) <= MAX_KEY_BYTES;
}

/** Bytes of a time as a sort key: milliseconds. */
export const TIME_KEY_BYTES = BYTES_OF_A_NUMBER;
