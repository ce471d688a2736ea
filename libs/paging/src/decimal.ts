/** Exact: `sign × 0.digits × 10^exponent`. */
export interface Decimal {
  readonly sign: -1 | 0 | 1;
  /** Without leading or trailing zeros. */
  readonly digits: string;
  /** An integer, or infinite if the text has too many digits for a double. */
  readonly exponent: number;
}

const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Greater than any integer in a column. */
const BEYOND_SAFE = 2 ** 53;
/** A number with more digits before the point exceeds {@link BEYOND_SAFE}. */
const MAX_WHOLE_DIGITS = 16;

/** Takes linear time. Returns undefined for text that is not a JSON number. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, minus, whole = '', fraction = '', power = '0'] = JSON_NUMBER.exec(text) ?? [];
  if (minus === undefined) return undefined;
  const written = whole + fraction;
  const first = written.search(/[1-9]/);
  if (first === -1) return { sign: 0, digits: '', exponent: 0 };
  return {
    sign: minus === '' ? 1 : -1,
    digits: withoutEndingZeros(written.slice(first)),
    exponent: whole.length - first + Number(power),
  };
}

/** Uses no regular expression, which would be quadratic, because it retries each run of zeros. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
}

/** Returns a negative number if `a` is less. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -a.sign : a.sign;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -a.sign : a.sign;
}

/**
 * Rounds `decimal × 10^scale` up (`ceil`) or down (`floor`) to an integer.
 * @returns Clamped to ±2^53, values that no column holds.
 */
export function wholeNumber({ sign, digits, exponent }: Decimal, scale: number, round: 'ceil' | 'floor'): number {
  if (sign === 0) return 0;
  const length = exponent + scale;
  if (length > MAX_WHOLE_DIGITS) return sign * BEYOND_SAFE;
  const whole = length <= 0 ? 0 : Number(digits.slice(0, length).padEnd(length, '0'));
  const hasRest = digits.length > Math.max(length, 0);
  const isAway = hasRest && (round === 'ceil') === sign > 0;
  const away = Math.min(whole + Number(isAway), BEYOND_SAFE);
  return sign > 0 ? away : 0 - away;
}

/**
 * Rounds a decimal up (`ceil`) or down (`floor`) to a double. Doubles count as their shortest decimal form.
 * @returns Infinite if the decimal is beyond all doubles.
 */
export function nextDouble(decimal: Decimal, nearest: number, round: 'ceil' | 'floor'): number {
  const value = 0 + nearest;
  const shown = parseDecimal(String(value));
  if (shown === undefined) return value;
  const order = compareDecimals(shown, decimal);
  if (round === 'ceil') return order < 0 ? doubleAfter(value) : value;
  return order > 0 ? 0 - doubleAfter(0 - value) : value;
}

function doubleAfter(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? 1n : -1n);
  return new Float64Array(bits.buffer)[0] ?? value;
}
