import type { FieldDefinition } from '@items/fields';
import { StartRefusedError } from './start-refused.js';

/**
 * Maximum JSON bytes of the sort keys in a cursor: 4096 characters minus the clocks of 16 lanes, the id and the MAC.
 */
export const MAX_KEY_BYTES = 2702;

/** Longest code point in JSON: a control character such as `\u0001`. */
const BYTES_OF_A_CODE_POINT = 6;
export const MAX_SORTABLE_TEXT = 450;
const QUOTES = 2;
const BYTES_OF_A_NUMBER = 24;

export function keyBytesOf(name: string, { schema, kind }: FieldDefinition): number {
  const { type, enum: words, maxLength } = schema;
  if (kind !== 'plain' || type !== 'string') return BYTES_OF_A_NUMBER;
  if (Array.isArray(words)) return Math.max(...words.map((word) => Buffer.byteLength(JSON.stringify(word))));
  if (typeof maxLength === 'number' && maxLength <= MAX_SORTABLE_TEXT)
    return maxLength * BYTES_OF_A_CODE_POINT + QUOTES;
  const most = String(MAX_SORTABLE_TEXT);
  throw new StartRefusedError(`@Sortable() on "${name}": a sortable text needs "max", at most ${most} characters.`);
}

export function haveRoom(bytes: readonly number[]): boolean {
  const commas = Math.max(0, bytes.length - 1);
  return bytes.reduce((sum, each) => sum + each, commas) <= MAX_KEY_BYTES;
}

export const TIME_KEY_BYTES = BYTES_OF_A_NUMBER;
