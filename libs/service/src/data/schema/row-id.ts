import { NIL } from 'uuid';

export const ROW_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The nil UUID. No row has this id. RFC 9562 §5.9 */
export const NO_ROW = NIL;

/** Checks an id before a query, because PostgreSQL raises an error for a malformed UUID. */
export function isRowId(text: string): boolean {
  return ROW_ID.test(text);
}
