import { setImmediate as letOthersRun } from 'node:timers/promises';

import {
  type ErrorDetail,
  MalformedBodyError,
  MAX_DETAILS,
  type MaybePromise,
  shownName,
  ValidationError,
} from '@items/conventions';

import { isExact } from './exact-number.js';
import { endOfString } from './json-string.js';

/** Codes of the characters that JSON is built of. */
const [QUOTE, COMMA, MINUS, ZERO, NINE] = [0x22, 0x2c, 0x2d, 0x30, 0x39];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const NUMBER = /[-+.\deE]+/y;
/** Whole numbers of so many digits are exact. */
const EXACT_DIGITS = 15;
/** Characters looked at without a pause: some milliseconds' work. */
const SLICE = 65_536;

/**
 * Refuses what JSON.parse swallows in silence: it keeps the last of two members, and the nearest of two numbers. The
 * work is proportional to the length, whatever stands in it, and pauses for others where there is much of it.
 * @param text known to be JSON, and not nested too deep. @param pause lets others run.
 * @throws {MalformedBodyError} 400: a name twice in an object.
 * @throws {ValidationError} 422: numbers that a double cannot hold, each with its field.
 * @see RFC 7493 §2.2, §2.3
 */
export function refuseLossyJson(text: string, pause: () => Promise<void> = letOthersRun): MaybePromise<void> {
  return goOn(new Scan(text), pause);
}

function goOn(scan: Scan, pause: () => Promise<void>): MaybePromise<void> {
  return scan.isOver() ? undefined : pause().then(() => goOn(scan, pause));
}

class Scan {
  private readonly open: Container[] = [];
  private readonly inexact: ErrorDetail[] = [];
  private unlisted = 0;
  private isName = false;
  private position = 0;

  constructor(private readonly text: string) {}

  /** Looks at the next slice. @returns whether it was the last one. */
  isOver(): boolean {
    const pauseAt = this.position + SLICE;
    while (this.position < this.text.length) {
      if (this.position >= pauseAt) return false;
      this.position = this.pass(this.text.charCodeAt(this.position));
    }
    if (this.inexact.length > 0) throw new ValidationError(this.inexact, this.unlisted);
    return true;
  }

  /** @returns where what begins with the character ends. */
  private pass(code: number): number {
    const { text, open, position } = this;
    if (code === QUOTE) {
      const end = endOfString(text, position);
      if (this.isName) enterMember(open.at(-1), text.slice(position, end));
      this.isName = false;
      return end;
    }
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      this.isName = code === OPEN_OBJECT;
      open.push({ names: undefined, at: this.isName ? '' : 0 });
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      open.pop();
    } else if (code === COMMA) {
      const container = open.at(-1);
      this.isName = typeof container?.at === 'string';
      if (typeof container?.at === 'number') container.at += 1;
    } else if (code === MINUS || isDigit(code)) {
      return this.passNumber();
    }
    return position + 1;
  }

  private passNumber(): number {
    const { text, position } = this;
    let end = position + 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    const isWhole = !'.eE'.includes(text.charAt(end)) || end === text.length;
    if (isWhole && end - position <= EXACT_DIGITS) return end;
    if (!isWhole) end = endOfNumber(text, position);
    if (!isExact(text.slice(position, end))) {
      if (this.inexact.length < MAX_DETAILS) this.inexact.push(inexactNumber(this.open));
      else this.unlisted += 1;
    }
    return end;
  }
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** An object or an array that is open, and where in it the scan is. */
interface Container {
  /** The names seen so far; undefined where there is none, as in an array. */
  names: Set<string> | undefined;
  /** The name of a member, or the index of an element. */
  at: string | number;
}

function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  return NUMBER.test(text) ? NUMBER.lastIndex : start + 1;
}

/** @param literal the name as it is written, with its quotes. */
function enterMember(object: Container | undefined, literal: string): void {
  const name = literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
  if (object === undefined) return;
  const names = (object.names ??= new Set());
  const before = names.size;
  if (names.add(name).size === before) {
    throw new MalformedBodyError(
      `The request body has the member ${JSON.stringify(shownName(name))} twice in one object.`,
    );
  }
  object.at = name;
}

function inexactNumber(open: readonly Container[]): ErrorDetail {
  const field = open.map(({ at }) => (typeof at === 'string' ? shownName(at) : String(at))).join('.');
  const subject = field === '' ? 'The request body' : `"${field}"`;
  return {
    field,
    code: 'inexact_number',
    message: `${subject} is a number too large or too precise to be kept exactly.`,
  };
}
