/**
 * Whether a text has at least so many code points. It looks at no more of the text than it needs to tell: at most two
 * code units make a code point.
 */
export function hasCodePoints(text: string, count: number): boolean {
  return text.length >= 2 * count || (text.length >= count && [...text].length >= count);
}
