/** Longest name that an error repeats, in code points. SPEC §2.4 */
const MAX_SHOWN = 64;
/** Control and format characters (direction overrides among them), lone surrogates, line and paragraph separators. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * A name that a client chose (an unknown field or parameter), made fit for a sentence, a terminal and a log: cut at 64
 * code points, with U+FFFD for each character that cannot be shown.
 * @see SPEC §2.4
 */
export function shownName(name: string): string {
  // At most two code units make a code point: the slice keeps a name of a megabyte from being walked whole.
  const start = [...name.slice(0, 2 * MAX_SHOWN)].slice(0, MAX_SHOWN).join('');
  return start.replace(UNSHOWABLE, '\uFFFD');
}
