import type { ListRange } from '@items/paging';
import type { RowValues } from '../database/database.js';

import { Ordering, type Range } from '../lists/ordering.js';
import { Parameters } from '../lists/page-statement.js';
import { ID } from '../database/versioned-row.js';
import { Walk, type WalkStep } from '../lists/walk.js';
import { readCurrent, swap, type Mutant } from './mutants.testing.js';

function rangeOf(ordering: Ordering): ListRange | undefined {
  return ordering['range'];
}

const endForgotten: Mutant = {
  name: 'later pages ignore the end of the range',
  install: () =>
    swap(
      Ordering.prototype,
      'after',
      (original) =>
        function (this: Ordering, place, fixed, upTo): Range[] {
          const ranges = original.call(this, place, fixed, upTo);
          if (rangeOf(this) === undefined || upTo !== undefined) return ranges;
          return ranges.map((range) => ({ ...range, end: undefined }));
        },
    ),
};

const nullsWithin: Mutant = {
  name: 'later pages of a range include rows without a value',
  install: () =>
    swap(
      Ordering.prototype,
      'after',
      (original) =>
        function (this: Ordering, place, fixed, upTo): Range[] {
          const [field = ''] = this.fields;
          const ranges = original.call(this, place, fixed, upTo);
          if (rangeOf(this) === undefined || upTo !== undefined) return ranges;
          return [...ranges, { conditions: [() => `${field} IS NULL`], orderBy: this.orderBy() }];
        },
    ),
};

const leaversLost: Mutant = {
  name: 'later pages of a range omit rows that left it since the walk began',
  install: () =>
    swap(
      Walk.prototype,
      'resume',
      (original) =>
        async function (this: Walk, reader, after, snapshot, limit): Promise<WalkStep | undefined> {
          const step = await original.call(this, reader, after, snapshot, limit);
          const range = rangeOf(this['plan'].ordering);
          if (step === undefined || range === undefined) return step;
          const params = new Parameters();
          const [all] = this['plan'].ordering.all('items');
          const conditions = [...(all?.conditions ?? []), ...(all?.end ? [all.end] : [])];
          const where = conditions.map((condition) => condition(params)).join(' AND ');
          const found = await reader.readValues(`SELECT id FROM items WHERE ${where}`, params.values);
          const ids = new Set(found.map(([id]) => id));
          return { ...step, rows: step.rows.filter((row: RowValues) => ids.has(row[ID] as string)) };
        },
    ),
};

const asItIsNow: Mutant = {
  name: 'later pages show the rows that are in the range now',
  install: () =>
    swap(
      Walk.prototype,
      'resume',
      (original) =>
        async function (this: Walk, reader, after, snapshot, limit): Promise<WalkStep | undefined> {
          if (rangeOf(this['plan'].ordering) === undefined) return original.call(this, reader, after, snapshot, limit);
          const rows = await readCurrent(this, reader, limit, after);
          return { rows: rows.slice(0, limit), more: rows.length > limit, snapshot };
        },
    ),
};

/** Faults that affect only walks over ranges. */
export const rangeMutants: readonly Mutant[] = [endForgotten, nullsWithin, leaversLost, asItIsNow];
