/** The form of the id of a row; what has another is not asked of the database, and PostgreSQL takes no other. */
export const ROW_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text can be the id of a row. */
export function isRowId(text: string): boolean {
  return ROW_ID.test(text);
}
