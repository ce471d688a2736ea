/**
 * Tests the minimum length of a text in code points. Bounded work: a code point has at most two
 * code units.
 */
export function hasCodePoints(text: string, count: number): boolean {
  return text.length >= 2 * count || (text.length >= count && [...text].length >= count);
}
