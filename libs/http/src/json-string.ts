/**
 * Where a JSON string ends.
 * @param start of its opening quote.
 * @returns the index after its closing quote; the text's length where none closes it.
 */
export function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

/** Whether an odd number of backslashes stands before a quote: each backslash is counted for one quote only. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charAt(first - 1) === '\\') first -= 1;
  return (quote - first) % 2 === 1;
}
