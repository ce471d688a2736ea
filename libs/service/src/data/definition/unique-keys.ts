import { hash } from 'node:crypto';

import { MAX_NAME_LENGTH } from '../schema/quoted.js';

/** A unique key as `collection()` accepts it: one field, several fields, or fields that are unique across all parents. */
export type DeclaredKey<Field extends string = string> =
  Field | readonly Field[] | { readonly fields: readonly Field[]; readonly across: true };

/** No two members have the same values of the columns. A member with null in one of them never conflicts. */
export interface UniqueKey {
  readonly fields: readonly string[];
  /** Columns of the index: the parent, unless the key holds across all parents, and the fields. */
  readonly columns: readonly string[];
  /** Name of the index. It contains hyphens, so that no table and no other index has the same name. */
  readonly index: string;
}

/** @param parent Column of the parent of a nested collection. */
export function uniqueKey(table: string, parent: string | undefined, declared: DeclaredKey): UniqueKey {
  const isAcross = typeof declared === 'object' && 'across' in declared;
  const fields = [isAcross ? declared.fields : declared].flat(2) as readonly string[];
  const columns = isAcross || parent === undefined ? fields : [parent, ...fields];
  const name = [table, 'unique', ...columns].join('-');
  const short = `${uniquePrefix(table)}${hash('sha256', name, 'hex')}`.slice(0, MAX_NAME_LENGTH);
  return { fields, columns, index: name.length > MAX_NAME_LENGTH ? short : name };
}

/** Returns the prefix of the names of the unique indexes of a table. */
export function uniquePrefix(table: string): string {
  return `${table}-unique-`;
}
