import { NIL } from 'uuid';

export const ROW_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The nil UUID is no row's id. RFC 9562 §5.9 */
export const NO_ROW = NIL;

/** Other texts match no row and do not reach the database; PostgreSQL would raise an error. */
export function isRowId(text: string): boolean {
  return ROW_ID.test(text);
}
