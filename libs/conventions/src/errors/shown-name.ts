/** In code points. SPEC §2.4 */
const MAX_SHOWN = 64;
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Makes a name that a client chose safe for a sentence, a terminal and a log: cuts it, and replaces unprintable
 * characters with U+FFFD. SPEC §2.4
 */
export function shownName(name: string): string {
  // A code point has at most two code units. The slice bounds the work for a long name.
  const start = [...name.slice(0, 2 * MAX_SHOWN)].slice(0, MAX_SHOWN).join('');
  return start.replace(UNSHOWABLE, '\uFFFD');
}
