import type { TextSchema } from './openapi-document.js';

/** The value of a header or a parameter as the type that its schema speaks of; a text where it is no such value. */
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

/** What is beyond 2^53 is as large as can be told apart. */
function finite(number: number): number {
  return Math.max(Math.min(number, Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER);
}
