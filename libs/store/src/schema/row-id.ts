const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text can be the id of a row; what cannot is not asked of the database, and PostgreSQL takes no other. */
export function isRowId(text: string): boolean {
  return UUID.test(text);
}
