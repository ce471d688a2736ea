import type { FieldDefinition } from '@items/fields';
import { doubleRange, prefixRange, type RangeRule, timeRange, wholeNumberRange } from '@items/paging';

const CENT_DECIMALS = 2;

export function rangeOf({ kind, schema: { type, format } }: FieldDefinition): RangeRule | undefined {
  if (kind === 'time') return timeRange;
  if (kind === 'money') return wholeNumberRange({ decimals: CENT_DECIMALS });
  if (kind !== 'plain') return undefined;
  if (type === 'integer') return wholeNumberRange();
  if (type === 'number') return doubleRange;
  return type === 'string' && format !== 'uuid' ? prefixRange : undefined;
}
