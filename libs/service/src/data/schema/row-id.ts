/** Other texts match no row and do not reach the database; PostgreSQL would raise an error. */
export const ROW_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isRowId(text: string): boolean {
  return ROW_ID.test(text);
}
