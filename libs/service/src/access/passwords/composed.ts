/** Four times the longest password, in code units, because decomposed characters are longer. */
const MAX_LENGTH = 1024;

/**
 * Another keyboard may send the same password decomposed. Longer texts stay unchanged, because the time of composing
 * grows with the square of a run of combining marks.
 * @see RFC 8265 §4.2
 */
export function composed(password: string): string {
  return password.length > MAX_LENGTH ? password : password.normalize('NFC');
}
