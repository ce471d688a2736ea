/** Four times the longest password, in code units: decomposed characters are longer. What is longer is no password. */
const MAX_LENGTH = 1024;

/**
 * The one form of a password: the same, typed on another keyboard, may come decomposed. What is too long to be a
 * password is left as it is, for composing takes a time that grows with the square of a run of combining marks.
 * @see RFC 8265 §4.2
 */
export function composed(password: string): string {
  return password.length > MAX_LENGTH ? password : password.normalize('NFC');
}
