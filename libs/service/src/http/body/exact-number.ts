/** So many digits survive as a double, IEEE 754's DBL_DIG, from its smallest normal number on. */
const SAFE_DIGITS = 15;
const SMALLEST_NORMAL = 2.2250738585072014e-308;
const EXPONENT = /e/i;
/** The first digit of a mantissa that is worth something; an exponent may follow. */
const NOT_ZERO = /^[-0.]*[1-9]/;

/**
 * Whether a number survives as a double: its shortest decimal form is the very same number.
 * @param literal a number as JSON writes it, of any length; the work is proportional to it.
 * @see RFC 7493 §2.2
 */
export function isExact(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  // What bodies are full of is judged without the long way: zeros, short numbers, and those that came from a double.
  if (value === 0) return literal.search(NOT_ZERO) === -1;
  if (Math.abs(value) >= SMALLEST_NORMAL && mantissaLength(literal) <= SAFE_DIGITS) return true;
  if (literal === String(value)) return true;
  return canonical(literal) === canonical(String(value));
}

/** Of its sign, digits and point. */
function mantissaLength(number: string): number {
  if (number.length <= SAFE_DIGITS) return number.length;
  const end = number.search(EXPONENT);
  return end === -1 ? number.length : end;
}

/** Digits without zeros at either end, and the power of ten that the decimal point before them stands for. */
function canonical(number: string): string {
  const [mantissa = '', exponent = '0'] = number.split(EXPONENT);
  const [whole = '', fraction = ''] = (mantissa.startsWith('-') ? mantissa.slice(1) : mantissa).split('.');
  const digits = whole + fraction;
  let first = 0;
  while (digits.charAt(first) === '0') first += 1;
  let end = digits.length;
  // By index: an expression such as /0+$/ looks at a run of zeros once for each zero in it.
  while (end > first && digits.charAt(end - 1) === '0') end -= 1;
  return first === end ? '0' : `${digits.slice(first, end)}e${String(Number(exponent) + whole.length - first)}`;
}
