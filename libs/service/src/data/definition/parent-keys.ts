import type { ListFilter } from '@items/paging';

/**
 * What the path of a nested collection says about each of its members, as columns and their values: below
 * `/users/{user_id}`, whose they are. The values are ids that are known to be ids. SPEC §2 rule 2
 */
export type ParentKeys = Readonly<Record<string, string>>;

/** The whole collection, with the members of all parents. Of a nested one it is given, never left out. */
export const ALL_PARENTS: ParentKeys = {};

/** The lists of a nested collection show nothing else. */
export function parentFilter(parent: ParentKeys): ListFilter {
  return Object.fromEntries(Object.entries(parent).map(([column, value]) => [column, [value]]));
}
