import { lowerCaseUuid } from '@items/conventions';
import type { FilterRule } from '@items/paging';
import { isRowId } from '../schema/row-id.js';

/** The nil UUID is the id of no row. RFC 9562 §5.9 */
const NO_ROW = '00000000-0000-0000-0000-000000000000';

/** The id of another resource. What cannot be an id is simply unknown, as in a path: it matches nothing. SPEC §1 */
export const idFilter: FilterRule = {
  schema: { type: 'string', minLength: 1, maxLength: 36 },
  expected: 'an id',
  parse: (element) => {
    const id = lowerCaseUuid(element);
    return isRowId(id) ? id : NO_ROW;
  },
};
