import { hash } from 'node:crypto';
import { MAX_NAME_LENGTH } from '../schema/quoted.js';

/** `across` makes fields unique across all parents. */
export type DeclaredKey<Field extends string = string> =
  Field | readonly Field[] | { readonly fields: readonly Field[]; readonly across: true };

/** A member with null in one of the columns never conflicts. */
export interface UniqueKey {
  readonly fields: readonly string[];
  /** The parent comes first, except in a key across all parents. */
  readonly columns: readonly string[];
  /** Contains hyphens, so that it differs from the names of tables and other indexes. */
  readonly index: string;
}

export function uniqueKey(table: string, parent: string | undefined, declared: DeclaredKey): UniqueKey {
  const isAcross = typeof declared === 'object' && 'across' in declared;
  const fields = [isAcross ? declared.fields : declared].flat(2) as readonly string[];
  const columns = isAcross || parent === undefined ? fields : [parent, ...fields];
  const name = [table, 'unique', ...columns].join('-');
  const short = `${uniquePrefix(table)}${hash('sha256', name, 'hex')}`.slice(0, MAX_NAME_LENGTH);
  return { fields, columns, index: name.length > MAX_NAME_LENGTH ? short : name };
}

export function uniquePrefix(table: string): string {
  return `${table}-unique-`;
}
