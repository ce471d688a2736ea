import { setFlagsFromString } from 'node:v8';

/** How many bytes of bytecode V8 puts into one function when it compiles it. */
export const INLINING = '--max-inlined-bytecode-size-cumulative';
/** By itself it stops at 920. */
const BYTES = 4000;

/**
 * Lets V8 put more small functions into those that call them: a request goes through some hundred, and by itself V8 has
 * reached its limit before it comes to the hot ones. Called when the code is loaded, and before it is hot: what Node has
 * compiled of its own beforehand counts for the flags that it was started with. ADR 62
 */
export function inlineMore(): void {
  setFlagsFromString(`${INLINING}=${String(BYTES)}`);
}
