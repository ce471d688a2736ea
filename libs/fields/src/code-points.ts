/** Tests a minimum length in code points, each of which has at most two code units. */
export function hasCodePoints(text: string, count: number): boolean {
  return text.length >= 2 * count || (text.length >= count && [...text].length >= count);
}
