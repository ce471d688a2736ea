/** Seconds. authentication.md */
export const ACCESS_TOKEN_SECONDS = 900;
export const REFRESH_TOKEN_SECONDS = 2_592_000;
/** RFC 6749 §4.1.2 recommends at most ten minutes. */
export const CODE_SECONDS = 60;
/** How long a login or consent page waits for its answer. */
export const INTERACTION_SECONDS = 900;
/** How long a browser need not ask for the password again. */
export const BROWSER_SESSION_SECONDS = 3600;

/** The built-in public client of `POST /sessions`. authentication.md */
export const FIRST_PARTY = 'first-party';
