import { lowerCaseUuid } from '@items/conventions';
import type { FieldDefinition } from '@items/fields';
import {
  booleanFilter,
  doubleRange,
  type FilterRule,
  oneOf,
  prefixRange,
  type RangeRule,
  textFilter,
  timeRange,
  wholeNumberRange,
} from '@items/paging';
import { isRowId, NO_ROW } from '../schema/row-id.js';
import { StartRefusedError } from './start-refused.js';

const CENT_DECIMALS = 2;

/** Filters by the id of another resource. A malformed id matches nothing, as in a path. SPEC §1 */
export const idFilter: FilterRule = {
  schema: { type: 'string', minLength: 1, maxLength: 36 },
  expected: 'an id',
  parse: (element) => {
    const id = lowerCaseUuid(element);
    return isRowId(id) ? id : NO_ROW;
  },
};

export function filterOf(name: string, { schema }: FieldDefinition): FilterRule {
  const { type, enum: words, format, maxLength } = schema;
  if (type === 'boolean') return booleanFilter;
  if (Array.isArray(words)) return oneOf(words as readonly string[]);
  if (format === 'uuid') return idFilter;
  if (type === 'string' && typeof maxLength === 'number') return textFilter({ max: maxLength });
  throw new StartRefusedError(
    `@Filterable() on "${name}": a filter needs a boolean, an enumeration, or a text with a maximum length.`,
  );
}

export function rangeOf({ kind, schema: { type, format } }: FieldDefinition): RangeRule | undefined {
  if (kind === 'time') return timeRange;
  if (kind === 'money') return wholeNumberRange({ decimals: CENT_DECIMALS });
  if (kind !== 'plain') return undefined;
  if (type === 'integer') return wholeNumberRange();
  if (type === 'number') return doubleRange;
  return type === 'string' && format !== 'uuid' ? prefixRange : undefined;
}
