export type QueryPair = readonly [name: string, value: string];

/**
 * Returns all pairs, including repeated names. `+` is a space; a name without `=` has an empty value.
 * @param text without the `?`.
 * @throws {URIError} the text is not percent-encoded UTF-8.
 */
export function parseQuery(text: string): readonly QueryPair[] {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      return equals === -1 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
    });
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
