import type { ListFilter } from '@items/paging';

/**
 * What the path of a nested collection says about each of its members, as columns and their values: below
 * `/users/{user_id}`, whose they are. The values are ids that are known to be ids. SPEC §2 rule 2
 */
export type ParentKeys = Readonly<Record<string, string>>;

/** The whole collection, whoever its members' parents are. Of one that is nested it is said, never left out. */
export const ALL_PARENTS: ParentKeys = {};

/**
 * What the path says about the members of a collection: nothing, where it is not nested.
 * @throws {Error} it is nested, and nothing says below which parent: that would be everybody's members.
 */
export function parentOf(
  { name, parent: column }: { readonly name: string; readonly parent: string | undefined },
  keys: ParentKeys | undefined,
): ParentKeys {
  if (column === undefined) return keys ?? ALL_PARENTS;
  if (keys === undefined || (keys !== ALL_PARENTS && typeof keys[column] !== 'string')) {
    throw new Error(
      `The collection "${name}" is nested: say whose members are meant, { ${column}: … }, or ALL_PARENTS for everybody's.`,
    );
  }
  return keys;
}

/** The lists of a nested collection show nothing else. */
export function parentFilter(parent: ParentKeys): ListFilter {
  return Object.fromEntries(Object.entries(parent).map(([column, value]) => [column, [value]]));
}

/** Whether a row is a member of the collection that the path means. @param valueOf gives what it has in a column. */
export function hasParent(parent: ParentKeys, valueOf: (column: string) => unknown): boolean {
  for (const column in parent) if (valueOf(column) !== parent[column]) return false;
  return true;
}
