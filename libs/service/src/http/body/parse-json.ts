import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import {
  type ApiError,
  type ErrorDetail,
  MalformedBodyError,
  MAX_DETAILS,
  OMITTED_MEMBERS,
  type OmittedMembers,
  shownName,
  ValidationError,
} from '@items/conventions';

import { isExact } from './exact-number.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const [QUOTE, COMMA, MINUS, POINT, ZERO, NINE] = [0x22, 0x2c, 0x2d, 0x2e, 0x30, 0x39];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const EXPONENT_BIT = 0x20;
const EXPONENT = 0x65;
const NUMBER = /[-+.\deE]+/y;
/** Numbers of at most this length without an exponent are exact. */
const EXACT_LENGTH = 15;
const MAX_DEPTH = 32;
/** Characters that are scanned without a pause: a few milliseconds of work. */
const SLICE = 65_536;
interface ReadLimits {
  readonly names: number;
  readonly members: number;
  /** Maximum number of elements of all arrays together; an empty array counts as one element. */
  readonly elements: number;
}
/** These limits exceed the fields of any class and the length of any list. A larger body is invalid. */
const VALIDATED_LIMITS: ReadLimits = { names: 1000, members: 50_000, elements: 10_000 };
const NO_LIMITS: ReadLimits = { names: Infinity, members: Infinity, elements: Infinity };

export interface ParseOptions {
  readonly pause?: () => Promise<void>;
  /**
   * If true, parsing stops at {@link VALIDATED_LIMITS}. A larger body is marked with `OMITTED_MEMBERS`, and `validate`
   * refuses it.
   */
  readonly isValidated?: boolean;
}

/**
 * Parses I-JSON (RFC 7493): UTF-8 without byte order mark, no duplicate names, no number that a double cannot hold,
 * limited depth.
 * @throws {MalformedBodyError} 400
 * @throws {ValidationError} 422: inexact numbers.
 * @see SPEC §4 rule 6
 */
export async function parseJson(
  bytes: Uint8Array,
  { pause = yieldToEventLoop, isValidated = false }: ParseOptions = {},
): Promise<unknown> {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw new MalformedBodyError('The request body is not valid UTF-8.', { cause });
  }
  if (text.trim() === '') throw new MalformedBodyError('The request body is empty; it must be JSON.');
  if (text.startsWith('\ufeff'))
    throw new MalformedBodyError('The request body must not begin with a byte order mark.');
  const scan = scanJson(text, isValidated ? VALIDATED_LIMITS : NO_LIMITS);
  let slice = scan.next();
  while (slice.done !== true) {
    await pause();
    slice = scan.next();
  }
  const { fault, cut } = slice.value;
  let value: unknown;
  try {
    value = JSON.parse(cut === undefined ? text : text.slice(0, cut.at) + cut.closing);
  } catch (cause) {
    throw new MalformedBodyError('The request body is not valid JSON.', { cause });
  }
  if (fault !== undefined) throw fault;
  if (cut !== undefined) Object.defineProperty(value, OMITTED_MEMBERS, { value: cut });
  return value;
}

interface Scanned {
  readonly fault: ApiError | undefined;
  readonly cut: Cut | undefined;
}

interface Cut extends OmittedMembers {
  /** Index after the last member that is read. */
  readonly at: number;
  readonly closing: string;
  readonly container: Container | undefined;
  count: number;
}

interface Container {
  names: Set<string> | undefined;
  /** Current member name or element index. */
  at: string | number;
}

/**
 * Finds what JSON.parse accepts silently (duplicate names, inexact numbers) or parses too slowly. The work is
 * proportional to the length of the text, which need not be JSON.
 * @yields after each slice, so that other work can run.
 * @returns error 422 for inexact numbers, with their fields; valid only if the text is JSON.
 * @throws {MalformedBodyError} 400, without reading the rest: a duplicate name, or deep nesting. JSON.parse takes
 *   longer for half a million nested arrays than for any other text of that size.
 * @see RFC 7493 §2.2, §2.3
 */
function* scanJson(text: string, max: ReadLimits): Generator<undefined, Scanned> {
  const open: Container[] = [];
  let inner: Container | undefined;
  let isName = false;
  const allNames = max.names === Infinity ? undefined : new Set<string>();
  let [members, elements] = [0, 0];
  let cut: Cut | undefined;
  let memberEnd = 0;
  const inexact: ErrorDetail[] = [];
  let unlisted = 0;
  let pauseAt = SLICE;
  let position = 0;
  while (position < text.length) {
    if (position >= pauseAt) {
      yield;
      pauseAt = position + SLICE;
    }
    const code = text.charCodeAt(position);
    let end = position + 1;
    if (code === COMMA) memberEnd = position;
    if (code === OPEN_ARRAY || (code === COMMA && typeof inner?.at === 'number')) {
      elements += 1;
      if (elements > max.elements && cut === undefined) {
        cut = cutAt(memberEnd, open, 'elements', max.elements);
        break;
      }
    }
    if (code === QUOTE) {
      end = endOfString(text, position);
      if (isName && inner !== undefined && cut === undefined) {
        members += 1;
        if (members > max.members) {
          cut = cutAt(memberEnd, open, 'members', max.members);
          break;
        }
        const literal = text.slice(position, end);
        const name = literal.includes('\\') ? unescaped(literal) : literal.slice(1, -1);
        const names = (inner.names ??= new Set());
        if (names.has(name)) throw repeatedMember(name);
        names.add(name);
        if ((allNames?.add(name).size ?? 0) > max.names) cut = cutAt(memberEnd, open, 'names', max.names);
        inner.at = name;
      }
      isName = false;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      isName = code === OPEN_OBJECT;
      memberEnd = end;
      inner = { names: undefined, at: isName ? '' : 0 };
      if (open.push(inner) > MAX_DEPTH)
        throw new MalformedBodyError(`The request body is nested deeper than ${String(MAX_DEPTH)} levels.`);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      open.pop();
      inner = open.at(-1);
    } else if (code === COMMA) {
      isName = typeof inner?.at === 'string';
      if (cut !== undefined && inner === cut.container) cut.count += 1;
      if (typeof inner?.at === 'number') inner.at += 1;
    } else if (cut === undefined && (code === MINUS || (code >= ZERO && code <= NINE))) {
      end = endOfDigits(text, end);
      if (text.charCodeAt(end) === POINT) end = endOfDigits(text, end + 1);
      const hasExponent = (text.charCodeAt(end) | EXPONENT_BIT) === EXPONENT;
      if (hasExponent || end - position > EXACT_LENGTH) {
        end = endOfNumber(text, position);
        const isLossy = !isExact(text.slice(position, end));
        if (isLossy && inexact.length < MAX_DETAILS) inexact.push(inexactNumber(open));
        else if (isLossy) unlisted += 1;
      }
    }
    position = end;
  }
  return { fault: inexact.length === 0 ? undefined : new ValidationError(inexact, unlisted), cut };
}

/** @param open containers, outermost first. The first omitted member belongs to the last of them. */
function cutAt(at: number, open: readonly Container[], kind: Cut['kind'], max: number): Cut {
  const closing = open.map((each) => (typeof each.at === 'string' ? '}' : ']')).reverse();
  // The limits of members and elements span all containers, so the error names no field.
  const field = kind === 'names' ? fieldOf(open.slice(0, -1)) : '';
  return { at, closing: closing.join(''), container: open.at(-1), kind, field, count: 1, max };
}

function fieldOf(open: readonly Container[]): string {
  return open.map(({ at }) => (typeof at === 'string' ? shownName(at) : String(at))).join('.');
}

/** @returns the index after the closing quote, or the length of the text. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && text.charAt(quote - 1) === '\\' && isEscaped(text, quote))
    quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charAt(first - 1) === '\\') first -= 1;
  return (quote - first) % 2 === 1;
}

function endOfDigits(text: string, start: number): number {
  let end = start;
  for (let code = text.charCodeAt(end); code >= ZERO && code <= NINE; code = text.charCodeAt(end)) end += 1;
  return end;
}

function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  return NUMBER.test(text) ? NUMBER.lastIndex : start + 1;
}

function unescaped(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}

function repeatedMember(name: string): MalformedBodyError {
  const shown = JSON.stringify(shownName(name));
  return new MalformedBodyError(`The request body has the member ${shown} twice in one object.`);
}

function inexactNumber(open: readonly Container[]): ErrorDetail {
  const field = fieldOf(open);
  const subject = field === '' ? 'The request body' : `"${field}"`;
  return {
    field,
    code: 'inexact_number',
    message: `${subject} is a number too large or too precise to be kept exactly.`,
  };
}
