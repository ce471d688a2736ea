/** Lifetimes are in seconds. SPEC §5.4 */
export const ACCESS_TOKEN_SECONDS = 900;
export const REFRESH_TOKEN_SECONDS = 2_592_000;
/** An application redeems a code immediately. RFC 6749 §4.1.2 recommends at most ten minutes. */
export const CODE_SECONDS = 60;
export const INTERACTION_SECONDS = 900;
/** During this time, a browser need not send the password again. */
export const BROWSER_SESSION_SECONDS = 3600;

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Formats seconds in the largest unit that divides them: `15 minutes`. */
export function formatDuration(seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => seconds % length === 0) ?? ['second', 1];
  const count = seconds / length;
  return `${String(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** The built-in public client of `POST /sessions`. SPEC §5.4 */
export const FIRST_PARTY = 'first-party';
