const LAST = 0x10ffff;
const BEFORE_SURROGATES = 0xd7ff;
const BEHIND_SURROGATES = 0xe000;

/**
 * Returns the first text, by code points, after all texts with a prefix.
 * @param prefix Valid Unicode.
 * @returns Undefined if the prefix consists of U+10FFFF, after which there is none.
 */
export function behindPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  const changed = points.findLastIndex((point) => point !== LAST);
  const point = points[changed];
  if (point === undefined) return undefined;
  const next = point === BEFORE_SURROGATES ? BEHIND_SURROGATES : point + 1;
  return String.fromCodePoint(...points.slice(0, changed), next);
}
