/** Decimal digits that a normal double preserves (DBL_DIG of IEEE 754). */
const SAFE_DIGITS = 15;
const SMALLEST_NORMAL = 2.2250738585072014e-308;
const EXPONENT = /e/i;
const NOT_ZERO = /^[-0.]*[1-9]/;

/**
 * Checks if the number equals the shortest decimal form of its double. RFC 7493 §2.2
 * @param literal a JSON number of any length. The work is proportional to its length.
 */
export function isExact(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  if (value === 0) return literal.search(NOT_ZERO) === -1;
  if (Math.abs(value) >= SMALLEST_NORMAL && mantissaLength(literal) <= SAFE_DIGITS) return true;
  if (literal === String(value)) return true;
  return canonical(literal) === canonical(String(value));
}

function mantissaLength(number: string): number {
  if (number.length <= SAFE_DIGITS) return number.length;
  const end = number.search(EXPONENT);
  return end === -1 ? number.length : end;
}

function canonical(number: string): string {
  const [mantissa = '', exponent = '0'] = number.split(EXPONENT);
  const [whole = '', fraction = ''] = (mantissa.startsWith('-') ? mantissa.slice(1) : mantissa).split('.');
  const digits = whole + fraction;
  let first = 0;
  while (digits.charAt(first) === '0') first += 1;
  let end = digits.length;
  // No regular expression: /0+$/ takes quadratic time on runs of zeros.
  while (end > first && digits.charAt(end - 1) === '0') end -= 1;
  return first === end ? '0' : `${digits.slice(first, end)}e${String(Number(exponent) + whole.length - first)}`;
}
