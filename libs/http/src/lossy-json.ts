import { setImmediate as letOthersRun } from 'node:timers/promises';

import type { ErrorDetail, Eventual } from '@items/conventions';
import { MalformedBodyError, MAX_DETAILS, shownName, ValidationError } from '@items/errors';

import { isExact } from './exact-number.js';
import { endOfString } from './json-string.js';

const NUMBER = /[-+.\deE]+/y;
/** Characters looked at without a pause: some milliseconds' work. */
const SLICE = 65_536;

/**
 * Refuses what JSON.parse swallows in silence: it keeps the last of two members, and the nearest of two numbers. The
 * work is proportional to the length, whatever stands in it, and pauses for others where there is much of it.
 * @param text known to be JSON, and not nested too deep.
 * @throws {MalformedBodyError} 400: a name twice in an object.
 * @throws {ValidationError} 422: numbers that a double cannot hold, each with its field.
 * @see RFC 7493 §2.2, §2.3
 */
export function refuseLossyJson(text: string): Eventual<void> {
  return goOn(new Scan(text));
}

function goOn(scan: Scan): Eventual<void> {
  return scan.isOver() ? undefined : letOthersRun().then(() => goOn(scan));
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
      this.position = this.pass(this.text.charAt(this.position));
    }
    if (this.inexact.length > 0) throw new ValidationError(this.inexact, this.unlisted);
    return true;
  }

  /** @returns where what begins with the character ends. */
  private pass(character: string): number {
    const { text, open, position } = this;
    if (character === '"') {
      const end = endOfString(text, position);
      if (this.isName) enterMember(open.at(-1), text.slice(position, end));
      this.isName = false;
      return end;
    }
    if (character === '{' || character === '[') {
      this.isName = character === '{';
      open.push({ names: undefined, at: this.isName ? '' : 0 });
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === ',') {
      const container = open.at(-1);
      this.isName = typeof container?.at === 'string';
      if (typeof container?.at === 'number') container.at += 1;
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      const end = endOfNumber(text, position);
      if (!isExact(text.slice(position, end))) {
        if (this.inexact.length < MAX_DETAILS) this.inexact.push(inexactNumber(open));
        else this.unlisted += 1;
      }
      return end;
    }
    return position + 1;
  }
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
  if (object?.names?.has(name)) {
    throw new MalformedBodyError(
      `The request body has the member ${JSON.stringify(shownName(name))} twice in one object.`,
    );
  }
  if (object === undefined) return;
  object.names ??= new Set();
  object.names.add(name);
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
