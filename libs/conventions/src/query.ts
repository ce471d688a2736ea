/** One query parameter, decoded. */
export type QueryPair = readonly [name: string, value: string];

/**
 * All parameters of a query in their order, also those given twice; `+` is a space, and one without `=` is empty.
 * @param text without the `?`.
 * @throws {URIError} it is not percent-encoded UTF-8.
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
