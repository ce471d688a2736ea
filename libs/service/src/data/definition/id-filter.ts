import { lowerCaseUuid } from '@items/conventions';
import type { FilterRule } from '@items/paging';
import { NIL } from 'uuid';
import { isRowId } from '../schema/row-id.js';

/** The nil UUID is no row's id. RFC 9562 §5.9 */
const NO_ROW = NIL;

/** Filters by the id of another resource. A malformed id matches nothing, as in a path. SPEC §1 */
export const idFilter: FilterRule = {
  schema: { type: 'string', minLength: 1, maxLength: 36 },
  expected: 'an id',
  parse: (element) => {
    const id = lowerCaseUuid(element);
    return isRowId(id) ? id : NO_ROW;
  },
};
