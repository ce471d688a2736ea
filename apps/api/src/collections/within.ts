import type { ListFilter } from '@items/paging';

import type { VersionedRow } from '../database/versioned-row.js';

/**
 * What the path of a nested collection says about each of its members, as columns and their values: below
 * `/users/{user_id}`, whose they are. The values are ids that are known to be ids. SPEC §2 rule 2
 */
export type Within = Readonly<Record<string, string>>;

/** The whole collection: its path says nothing about its members. */
export const EVERYWHERE: Within = {};

/** The lists of a nested collection show nothing else. */
export function filterWithin(within: Within): ListFilter {
  return Object.fromEntries(Object.entries(within).map(([column, value]) => [column, [value]]));
}

/** Whether a row is a member of the collection that the path means. */
export function isWithin(row: VersionedRow, within: Within): boolean {
  const values = row as unknown as Within;
  return Object.entries(within).every(([column, value]) => values[column] === value);
}
