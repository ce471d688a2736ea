/** Maximum length in code points. SPEC §2.4 */
const MAX_SHOWN = 64;
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Truncates a name that came from a client, and replaces unprintable characters with U+FFFD. The result is safe in
 * messages, terminals and logs. SPEC §2.4
 */
export function shownName(name: string): string {
  // The inner slice bounds the work: a code point has at most two code units.
  const start = [...name.slice(0, 2 * MAX_SHOWN)].slice(0, MAX_SHOWN).join('');
  return start.replace(UNSHOWABLE, '\uFFFD');
}
