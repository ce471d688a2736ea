import { isPromise, MalformedBodyError } from '@items/conventions';

import { refuseDepth } from './json-depth.js';
import { refuseLossyJson } from './lossy-json.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads JSON as I-JSON (RFC 7493) has it: UTF-8 without a byte order mark, no name twice in an object, no number that
 * would come out as another one; and not too deep. Others are served meanwhile where there is much to read.
 * @param pause lets others run; until the next turn of the event loop where it is left out.
 * @throws {MalformedBodyError} 400 @throws {ValidationError} 422: numbers that would come out as others.
 * @see SPEC §4 rule 6
 */
export async function parseJson(bytes: Uint8Array, pause?: () => Promise<void>): Promise<unknown> {
  const text = decode(bytes);
  const value = parse(text);
  const refusal = refuseLossyJson(text, pause);
  if (isPromise(refusal)) await refusal;
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new MalformedBodyError('The request body is not valid UTF-8.', { cause });
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') throw new MalformedBodyError('The request body is empty; it must be JSON.');
  if (text.startsWith('\ufeff'))
    throw new MalformedBodyError('The request body must not begin with a byte order mark.');
  refuseDepth(text);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new MalformedBodyError('The request body is not valid JSON.', { cause });
  }
}
