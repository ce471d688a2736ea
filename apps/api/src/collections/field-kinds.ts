import { fromCents, toCents } from '@items/contracts';

import type { VersionedRow } from '../database/versioned-row.js';
import type { CollectionDefinition, Identified, Own } from './collection.js';
import { formatTime } from './format-time.js';

/** How a field's value stands in its column. Null stands as null. */
export interface FieldKind<Shown, Stored> {
  readonly show: (stored: Stored) => Shown;
  readonly store: (shown: Shown) => Stored;
}

/** Text and numbers. */
export const plain = { show: <T>(value: T): T => value, store: <T>(value: T): T => value };
/** An amount in the service's currency, as cents: exact, unlike a binary fraction. */
export const money: FieldKind<number, number> = { show: fromCents, store: toCents };
/** `true` and `false`, as 1 and 0. */
export const flag: FieldKind<boolean, number> = { show: (stored) => stored !== 0, store: Number };
/** RFC 3339 in UTC, as milliseconds since the epoch. */
export const dateTime: FieldKind<string, number> = {
  show: formatTime,
  store: Date.parse,
};

/** The kind of each field that a client sets, in the order in which they are shown. */
export type FieldKinds<Row extends VersionedRow, Input> = {
  readonly [Field in keyof Input & keyof Own<Row>]-?: FieldKind<
    NonNullable<Input[Field]>,
    NonNullable<Own<Row>[Field]>
  >;
};

/**
 * `present` and `accept` of a collection whose fields are columns of the same name.
 * @param given columns that no body sets, such as the user whom the path names: shown as they are, after the id.
 */
export function fieldsAs<Row extends VersionedRow, Resource extends Identified, Input>(
  kinds: FieldKinds<Row, Input>,
  given: readonly (keyof Own<Row> & keyof Resource & string)[] = [],
): Pick<CollectionDefinition<Row, Resource, Input>, 'present' | 'accept'> {
  const fields = Object.entries(kinds) as [string, FieldKind<unknown, unknown>][];
  return {
    present: (row) => {
      const columns = row as unknown as Readonly<Record<string, unknown>>;
      const shown: Record<string, unknown> = { id: row.id };
      for (const field of given) shown[field] = columns[field];
      for (const [field, { show }] of fields) {
        const stored = columns[field] ?? null;
        shown[field] = stored === null ? null : show(stored);
      }
      shown['created_at'] = dateTime.show(row.created_at);
      shown['updated_at'] = dateTime.show(row.updated_at);
      return shown as unknown as Resource;
    },
    accept: (input) => {
      const values = input as Readonly<Record<string, unknown>>;
      const stored: Record<string, unknown> = {};
      for (const [field, { store }] of fields) {
        const value = values[field] ?? null;
        stored[field] = value === null ? null : store(value);
      }
      return stored as Own<Row>;
    },
  };
}
