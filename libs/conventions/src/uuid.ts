const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns a UUID in lower case, and other text unchanged. SPEC §1 */
export function lowerCaseUuid(text: string): string {
  return UUID.test(text) ? text.toLowerCase() : text;
}
