/** What oidc-provider says on Node 20, although it works there: every test of ours runs on it. ADR 20 */
const KNOWN = 'oidc-provider WARNING: Unsupported runtime.';

/* eslint-disable no-console -- it is the console that is to be silent */
const { warn } = console;

/** To be imported before what warns while it is loaded. */
console.warn = (...words: unknown[]): void => {
  if (!String(words[0]).includes(KNOWN)) warn.apply(console, words);
};
