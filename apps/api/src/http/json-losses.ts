import type { ErrorDetail } from '@items/contracts';
import { MalformedBodyError, shownName, ValidationError } from '@items/errors';

/** Deeper than any body of this API, and far from where recursion would hurt. */
const MAX_DEPTH = 32;
const NUMBER = /[-+.\deE]+/y;

/**
 * Refuses what JSON.parse swallows in silence: it keeps the last of two members, and the nearest of two numbers.
 * @param text known to be JSON.
 * @throws {MalformedBodyError} 400: a name twice in an object, or too deep nesting.
 * @throws {ValidationError} 422: numbers that a double cannot hold, each with its field.
 * @see RFC 7493 §2.2, §2.3
 */
export function refuseLosses(text: string): void {
  const open: Container[] = [];
  const inexact: ErrorDetail[] = [];
  let isName = false;
  let position = 0;
  while (position < text.length) {
    const character = text.charAt(position);
    let end = position + 1;
    if (character === '"') {
      end = endOfString(text, position);
      if (isName) enterMember(open.at(-1), JSON.parse(text.slice(position, end)) as string);
      isName = false;
    } else if (character === '{' || character === '[') {
      isName = character === '{';
      const depth = open.push({ names: isName ? new Set() : null, at: isName ? '' : 0 });
      if (depth > MAX_DEPTH) refuse(`is nested deeper than ${String(MAX_DEPTH)} levels`);
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === ',') {
      const container = open.at(-1);
      isName = typeof container?.at === 'string';
      if (typeof container?.at === 'number') container.at += 1;
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      NUMBER.lastIndex = position;
      const [literal = ''] = NUMBER.exec(text) ?? [];
      if (!isExact(literal)) inexact.push(inexactNumber(open));
      end = position + literal.length;
    }
    position = end;
  }
  if (inexact.length > 0) throw new ValidationError(inexact);
}

/** An object or an array that is open, and where in it the scan is. */
interface Container {
  /** The names seen so far; null for an array. */
  readonly names: Set<string> | null;
  at: string | number;
}

function refuse(problem: string): never {
  throw new MalformedBodyError(`The request body ${problem}.`);
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** Whether an odd number of backslashes stands before a quote. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text[first - 1] === '\\') first -= 1;
  return (quote - first) % 2 === 1;
}

function enterMember(object: Container | undefined, name: string): void {
  if (object?.names?.has(name)) refuse(`has the member ${JSON.stringify(shownName(name))} twice in one object`);
  object?.names?.add(name);
  if (object !== undefined) object.at = name;
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

/** Whether a number survives as a double: its shortest decimal form is the very same number. */
function isExact(literal: string): boolean {
  return /^-?\d{1,15}$/.test(literal) || canonical(literal) === canonical(String(Number(literal)));
}

/** Digits without zeros at either end, and the power of ten they stand at. */
function canonical(number: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return whole === '' ? 'not finite' : '0';
  return `${significant}e${String(Number(exponent) - fraction.length + digits.length - significant.length)}`;
}
