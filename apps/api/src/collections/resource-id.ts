const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text can be an id at all; what cannot is not asked of the database. decisions §1 */
export function isId(text: string): boolean {
  return UUID.test(text);
}
