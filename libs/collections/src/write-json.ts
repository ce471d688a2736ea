/** What JSON.stringify would write otherwise than as it stands: quotes, backslashes, controls, halves of a pair. */
const NEEDS_ESCAPE = /[^\x20\x21\x23-\x5b\x5d-\ud7ff\ue000-\uffff]/;

/** JSON of a text. */
export function writeText(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** JSON of any value; undefined is null, as it is in an array. */
export function writeValue(value: unknown): string {
  if (typeof value === 'string') return writeText(value);
  return value === undefined ? 'null' : JSON.stringify(value);
}

/** Above it, hundredths are more than a number can hold, and its shortest text may have fewer digits. */
const MOST_CENTS = 1e15;

/** JSON of an amount in whole cents, as its division by 100: to write a fraction takes three times as long. */
export function writeCents(cents: number): string {
  if (cents > MOST_CENTS) return String(cents / 100);
  if (cents < 0) return `-${writeCents(-cents)}`;
  const whole = Math.floor(cents / 100);
  const rest = cents - 100 * whole;
  if (rest === 0) return String(whole);
  if (rest % 10 === 0) return `${String(whole)}.${String(rest / 10)}`;
  return `${String(whole)}.${rest < 10 ? '0' : ''}${String(rest)}`;
}
