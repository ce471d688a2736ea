import type { TextSchema } from './openapi-document.js';

/** Parses a header or a parameter by the type of its schema; other texts are unchanged. */
export function readText(text: string, schema: TextSchema | undefined): unknown {
  switch (schema?.type) {
    case 'integer':
      return /^-?\d+(\.\d+)?$/.test(text) ? finite(Number(text)) : text;
    case 'number':
      return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? finite(Number(text)) : text;
    case 'boolean':
      return text === 'true' || (text === 'false' ? false : text);
    case 'array':
      return text.split(',').map((element) => readText(element, schema.items));
    default:
      return text;
  }
}

/** Clamps numbers to ±(2^53 − 1), beyond which doubles are not exact. */
function finite(number: number): number {
  return Math.max(Math.min(number, Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER);
}
