import type { ListFilter } from '@items/paging';

/** Column values that select members, such as the path parameter `user_id`. The values are valid ids. SPEC §2 rule 2 */
export type ParentKeys = Readonly<Record<string, string>>;

export const ALL_PARENTS: ParentKeys = {};

export function parentFilter(parent: ParentKeys): ListFilter {
  return Object.fromEntries(Object.entries(parent).map(([column, value]) => [column, [value]]));
}
