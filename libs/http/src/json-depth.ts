import { MalformedBodyError } from '@items/conventions';

import { endOfString } from './json-string.js';

const [QUOTE, OPEN, CLOSE, BRACE_BIT] = [0x22, 0x7b, 0x7d, 0x20];
/** Deeper than any body of this API, and far from where recursion would hurt. */
const MAX_DEPTH = 32;

/**
 * Refuses text that is nested too deep, before it is parsed: half a million nested arrays take the parser longer than
 * anything else of that size. The work is proportional to the length.
 * @param text that need not be JSON.
 * @throws {MalformedBodyError} 400
 */
export function refuseDepth(text: string): void {
  let depth = 0;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) position = endOfString(text, position) - 1;
    // With this bit, "{" is as "[", and "}" as "]".
    else if ((code | BRACE_BIT) === OPEN) depth += 1;
    else if ((code | BRACE_BIT) === CLOSE) depth -= 1;
    if (depth > MAX_DEPTH) {
      throw new MalformedBodyError(`The request body is nested deeper than ${String(MAX_DEPTH)} levels.`);
    }
  }
}
